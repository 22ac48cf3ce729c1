import { type ReactNode, useEffect, useState } from "react";
import styles from "./page-states.module.css";

/** Fast answers never flash grey boxes: the skeleton is drawn after 200 ms, but its room is reserved from the start. */
const patienceMs = 200;

interface LoadingStateProps {
  label?: string;
  /** Skeleton; it should be as tall as the content that replaces it. */
  children: ReactNode;
}

export function LoadingState({ label = "Carregando", children }: LoadingStateProps) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label={label} aria-busy="true" className={late ? "" : styles.waiting}>
      {children}
    </div>
  );
}

/** One grey bar. */
export function Bone({ width = "100%", height = 16 }: { width?: number | string; height?: number }) {
  return <span className={styles.bone} style={{ width, height }} aria-hidden />;
}
