import { useState } from "react";
import { DateField, type DateFieldProps } from "./date-field.tsx";
import styles from "./day-range.module.css";
import { readDate } from "./format.ts";

interface DayRangeProps {
  /** Name of the days: `Data do recebimento`. */
  label: string;
  /** `YYYY-MM-DD`, both included. */
  from: string;
  until: string;
  onChange: (days: { from?: string; until?: string }) => void;
}

/** Range of days. An emptied field keeps its day until another valid one is typed. */
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
  /** A valid day, or null for an emptied field. */
  onChange: (day: string | null) => void;
}

/** Typed text stays in the field until it is a day; leaving it half-typed restores the current day. */
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
