import type { ReactNode } from "react";
import styles from "./simulator.module.css";

interface PanelProps {
  id: string;
  title: string;
  help?: string;
  end?: ReactNode;
  children: ReactNode;
}

/** Frame of one panel of the simulator. */
export function Panel({ id, title, help, end, children }: PanelProps) {
  return (
    <section className={`panel ${styles.panel}`} aria-labelledby={id}>
      <div className={styles.panelHead}>
        <div>
          <h2 id={id}>{title}</h2>
          {help ? <p className="small muted">{help}</p> : null}
        </div>
        {end}
      </div>
      {children}
    </section>
  );
}
