import { useEffect, useRef } from "react";
import styles from "./checkbox.module.css";

interface CheckboxProps {
  /** Read by screen readers; the row beside it has the other facts. */
  label: string;
  checked: boolean;
  /** True when some, but not all, of its rows are ticked. */
  partly?: boolean;
  disabled?: boolean;
  /** Id that a visible label elsewhere refers to. */
  id?: string;
  onChange: (checked: boolean) => void;
}

export function Checkbox({ label, checked, partly = false, disabled = false, id, onChange }: CheckboxProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current) field.current.indeterminate = partly;
  }, [partly]);
  return (
    // The label is the larger target that a finger needs.
    <label className={styles.target}>
      <input
        ref={field}
        id={id}
        type="checkbox"
        className={styles.box}
        aria-label={label}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  );
}
