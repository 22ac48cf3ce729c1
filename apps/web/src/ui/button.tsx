import type { ButtonHTMLAttributes, ReactNode } from "react";
import styles from "./button.module.css";

export type ButtonLook = "primary" | "default" | "quiet" | "danger" | "danger-primary";

interface LookProps {
  look?: ButtonLook;
  size?: "sm" | "md";
}

/** Classes of links that look like buttons. */
export function buttonClass({ look = "default", size = "md" }: LookProps = {}): string {
  return `${styles.button} ${styles[look]} ${size === "sm" ? styles.sm : ""}`;
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, LookProps {
  icon?: ReactNode;
  /** True while its action runs: the button keeps its width and its place in the tab order, and ignores clicks. */
  busy?: boolean;
  ref?: React.Ref<HTMLButtonElement>;
}

export function Button({
  look,
  size,
  icon,
  busy = false,
  className = "",
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`${buttonClass({ ...(look && { look }), ...(size && { size }) })} ${className}`}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <span className={styles.spinner} aria-hidden /> : icon}
      {children}
    </button>
  );
}

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Accessible name, also shown on hover, because an icon alone is a riddle. */
  label: string;
  ref?: React.Ref<HTMLButtonElement>;
}

export function IconButton({ label, className = "", children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`${styles.icon} ${className}`}
    >
      {children}
    </button>
  );
}
