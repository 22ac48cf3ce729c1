import { IconCalendar, IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { IconButton } from "./button.tsx";
import { chipClass } from "./chip.tsx";
import { formatMonth, type Month, monthNames } from "./format.ts";
import styles from "./month-picker.module.css";
import { Popover } from "./popover.tsx";

interface MonthPickerProps {
  /** `YYYY-MM`, the same text as in the address bar. */
  value: Month;
  onChange: (month: Month) => void;
  label?: string;
}

/** Chooses one month: step with the arrows inside, or jump by name. */
export function MonthPicker({ value, onChange, label = "Mês" }: MonthPickerProps) {
  const [opened, setOpened] = useState(false);
  const [year, setYear] = useState(Number(value.slice(0, 4)));
  const opener = useRef<HTMLButtonElement>(null);
  const chosen = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (opened) chosen.current?.focus({ preventScroll: true });
  }, [opened]);
  const name = formatMonth(value);
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={chipClass(true)}
        aria-label={`${label}: ${name}`}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={() => {
          setYear(Number(value.slice(0, 4)));
          setOpened(!opened);
        }}
      >
        <IconCalendar size={18} aria-hidden />
        {name.charAt(0).toUpperCase() + name.slice(1)}
      </button>
      {opened ? (
        <Popover
          anchor={opener}
          width={264}
          onClose={() => setOpened(false)}
          role="dialog"
          aria-label={label}
          className={styles.panel ?? ""}
        >
          <div className={styles.year}>
            <IconButton label="Ano anterior" onClick={() => setYear(year - 1)}>
              <IconChevronLeft size={18} aria-hidden />
            </IconButton>
            <strong aria-live="polite">{year}</strong>
            <IconButton label="Próximo ano" onClick={() => setYear(year + 1)}>
              <IconChevronRight size={18} aria-hidden />
            </IconButton>
          </div>
          <div className={styles.months}>
            {monthNames.map((monthName, index) => {
              const month = `${year}-${String(index + 1).padStart(2, "0")}`;
              return (
                <button
                  key={month}
                  ref={month === value ? chosen : undefined}
                  type="button"
                  aria-pressed={month === value}
                  onClick={() => {
                    onChange(month);
                    setOpened(false);
                    opener.current?.focus();
                  }}
                >
                  <span className="sr-only">{formatMonth(month)}</span>
                  <span aria-hidden>{monthName.slice(0, 3)}</span>
                </button>
              );
            })}
          </div>
        </Popover>
      ) : null}
    </>
  );
}
