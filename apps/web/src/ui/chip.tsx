import type { ButtonHTMLAttributes } from "react";
import styles from "./chip.module.css";

export function chipClass(on: boolean): string {
  return `${styles.chip} ${on ? styles.on : ""}`;
}

interface ChipProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  on?: boolean;
}

/** A filter that is on or off. */
export function Chip({ on = false, className = "", ...rest }: ChipProps) {
  return <button type="button" aria-pressed={on} {...rest} className={`${chipClass(on)} ${className}`} />;
}
