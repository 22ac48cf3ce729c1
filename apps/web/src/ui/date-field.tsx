import { IconCalendar } from "@tabler/icons-react";
import { useRef } from "react";
import { IconButton } from "./button.tsx";
import styles from "./date-field.module.css";
import { formatDate, readDate } from "./format.ts";
import { TextField, type TextFieldProps } from "./text-field.tsx";

export interface DateFieldProps extends Omit<TextFieldProps, "value" | "onChange" | "rightSection"> {
  /** `YYYY-MM-DD`, the text itself when it is no date, or null for an empty field. */
  value: string | null;
  onChange: (value: string | null) => void;
  min?: string;
  max?: string;
}

/**
 * DD/MM/AAAA typed or pasted, or picked from the calendar of the browser, which every assistive tool supports. Text
 * that is no date goes to the form unchanged: read as no date, it would pay today.
 */
export function DateField({ value, onChange, min, max, disabled = false, ...rest }: DateFieldProps) {
  const date = readDate(value ?? "");
  const shown = date ? formatDate(date) : (value ?? "");
  const calendar = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.field}>
      <TextField
        placeholder="DD/MM/AAAA"
        {...rest}
        disabled={disabled}
        inputMode="numeric"
        autoComplete="off"
        value={shown}
        onChange={(event) => {
          const text = withBars(event.currentTarget.value, shown);
          onChange(readDate(text) ?? (text.trim() ? text : null));
        }}
        rightSection={
          <IconButton
            label="Abrir calendário"
            disabled={disabled}
            onClick={() => calendar.current?.showPicker?.()}
          >
            <IconCalendar size={18} aria-hidden />
          </IconButton>
        }
      />
      <input
        ref={calendar}
        className={styles.native}
        type="date"
        tabIndex={-1}
        aria-hidden
        min={min}
        max={max}
        value={date ?? ""}
        onChange={(event) => onChange(event.currentTarget.value || null)}
      />
    </div>
  );
}

/** Inserts slashes while digits are added at the end, and never while text is being erased. */
function withBars(text: string, before: string): string {
  if (text.length <= before.length) return text;
  const digits = text.replace(/\D/g, "");
  if (/^\d{3}$/.test(text)) return `${digits.slice(0, 2)}/${digits.slice(2)}`;
  if (/^\d{2}\/\d{3}$/.test(text)) return `${text.slice(0, 5)}/${text.slice(5)}`;
  if (/^\d{8}$/.test(text)) return `${digits.slice(0, 2)}/${digits.slice(2, 4)}/${digits.slice(4)}`;
  return text;
}
