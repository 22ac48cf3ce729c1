import type { ReactNode } from "react";
import styles from "./switch.module.css";

interface SwitchProps {
  on: boolean;
  onChange: (on: boolean) => void;
  /** Saved on the click; while that runs, another click does nothing. */
  busy?: boolean;
  disabled?: boolean;
  children: ReactNode;
}

/** A setting that takes effect at once. */
export function Switch({ on, onChange, busy = false, disabled = false, children }: SwitchProps) {
  return (
    <label className={styles.switch}>
      <input
        type="checkbox"
        role="switch"
        checked={on}
        aria-checked={on}
        disabled={disabled}
        aria-busy={busy || undefined}
        onChange={(event) => {
          if (!busy) onChange(event.currentTarget.checked);
        }}
      />
      <span className={styles.track} aria-hidden />
      <span>{children}</span>
    </label>
  );
}
