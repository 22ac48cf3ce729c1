import "@mantine/core/styles/Popover.css";
import { Popover } from "@mantine/core";
import { IconCalendar, IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { IconButton } from "./button.tsx";
import { chipClass } from "./chip.tsx";
import { formatMonth, type Month, monthNames } from "./format.ts";
import styles from "./month-picker.module.css";

interface MonthPickerProps {
  /** `YYYY-MM`, the same text the address bar carries. */
  value: Month;
  onChange: (month: Month) => void;
  label?: string;
}

/** One month at a time: step with the arrows inside, or jump by name. */
export function MonthPicker({ value, onChange, label = "Mês" }: MonthPickerProps) {
  const [opened, setOpened] = useState(false);
  const [year, setYear] = useState(Number(value.slice(0, 4)));
  const name = formatMonth(value);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus width={264}>
      <Popover.Target>
        <button
          type="button"
          className={chipClass(true)}
          aria-label={`${label}: ${name}`}
          onClick={() => {
            setYear(Number(value.slice(0, 4)));
            setOpened(!opened);
          }}
        >
          <IconCalendar size={18} aria-hidden />
          {name.charAt(0).toUpperCase() + name.slice(1)}
        </button>
      </Popover.Target>
      <Popover.Dropdown p={12} aria-label={label}>
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
                type="button"
                aria-label={formatMonth(month)}
                aria-pressed={month === value}
                data-autofocus={month === value || undefined}
                onClick={() => {
                  onChange(month);
                  setOpened(false);
                }}
              >
                {monthName.slice(0, 3)}
              </button>
            );
          })}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
