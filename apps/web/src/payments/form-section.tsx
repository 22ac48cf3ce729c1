import { type ReactNode, useId } from "react";
import styles from "./wizard-frame.module.css";

/** Titled part of a payment's form. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section className={`panel ${styles.section}`} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </section>
  );
}
