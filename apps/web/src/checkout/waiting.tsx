import styles from "./checkout.module.css";

/** Shown while the page polls; the payer need not reload it. */
export function Waiting({ children }: { children: string }) {
  return (
    <p className={styles.waiting} role="status">
      <span className={styles.pulse} aria-hidden />
      {children}
    </p>
  );
}
