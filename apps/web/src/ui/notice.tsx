import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./notice.module.css";

interface NoticeProps {
  tone: "red" | "yellow" | "green" | "blue";
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** Announced at once by screen readers. */
  alert?: boolean;
}

/** A message that stays on the page until its cause is gone. */
export function Notice({ tone, title, children, action, alert = false }: NoticeProps) {
  const Icon = tone === "blue" ? IconInfoCircle : tone === "green" ? IconCircleCheck : IconAlertTriangle;
  return (
    <div className={styles.notice} data-tone={tone} role={alert ? "alert" : undefined}>
      <Icon size={18} aria-hidden />
      <div className={styles.text}>
        {title ? <strong>{title}</strong> : null}
        {children ? <div>{children}</div> : null}
      </div>
      {action}
    </div>
  );
}

/** Several messages about one object in one frame, because a box for each would push the content off the screen. */
export function Notices({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={`panel ${styles.group}`} aria-label={label}>
      {children}
    </section>
  );
}

/** Messages that the desk shows above every page. */
export function Banners({ children }: { children: ReactNode }) {
  return <div className={styles.banners}>{children}</div>;
}
