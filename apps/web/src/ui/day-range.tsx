import { useState } from "react";
import { DateField, type DateFieldProps } from "./date-field.tsx";
import styles from "./day-range.module.css";
import { readDate } from "./format.ts";

interface DayRangeProps {
  /** What the days are of: `Data do recebimento`. */
  label: string;
  /** `YYYY-MM-DD`, both included. */
  from: string;
  until: string;
  onChange: (days: { from?: string; until?: string }) => void;
}

/** From one day to another. A field that is emptied keeps its day until another one is readable. */
export function DayRange({ label, from, until, onChange }: DayRangeProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not lay its fields out in a row everywhere
    <div className={styles.range} role="group" aria-label={label}>
      <DayField aria-label="De" day={from} max={until} onChange={(day) => day && onChange({ from: day })} />
      <span className="small muted" aria-hidden>
        a
      </span>
      <DayField aria-label="Até" day={until} min={from} onChange={(day) => day && onChange({ until: day })} />
    </div>
  );
}

interface DayFieldProps extends Omit<DateFieldProps, "value" | "onBlur" | "onChange"> {
  /** `YYYY-MM-DD`; null for none. */
  day: string | null;
  /** A day that exists, or null for a field that was emptied. */
  onChange: (day: string | null) => void;
}

/** What is typed stays in the field until it is a day; leaving it half-typed shows the day that counts again. */
export function DayField({ day, onChange, ...rest }: DayFieldProps) {
  const [typed, setTyped] = useState<string | null>();
  return (
    <DateField
      {...rest}
      value={typed === undefined ? day : typed}
      onBlur={() => setTyped(undefined)}
      onChange={(text) => {
        const read = readDate(text ?? "");
        setTyped(read ? undefined : text);
        if (read || text === null) onChange(read);
      }}
    />
  );
}

/** The days of an address, where they are days; else those of the current month. */
export function readDays(
  raw: { de?: string | undefined; ate?: string | undefined },
  usual: { initialDate: string; endDate: string },
): { from: string; until: string } {
  return {
    from: readDate(raw.de ?? "") ?? usual.initialDate,
    until: readDate(raw.ate ?? "") ?? usual.endDate,
  };
}
