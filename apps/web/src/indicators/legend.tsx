import { formatCount } from "../ui/format.ts";
import type { Figure } from "./figures.ts";
import styles from "./indicators.module.css";

/** Names each colour. A doughnut's legend shows the figures too, so that reading them needs no colours. */
export function Legend({ figure }: { figure: Figure }) {
  if (figure.kind === "doughnut") {
    return (
      <ul className={styles.shares}>
        {figure.lines.map(({ label, name, values, percentage }, at) => (
          <li key={name}>
            <span
              className={styles.swatch}
              style={{ background: `var(--${figure.tones?.[at]})` }}
              aria-hidden
            />
            {label === name ? (
              <span className={styles.share}>{name}</span>
            ) : (
              <span className={styles.share} title={name}>
                <span aria-hidden>{label}</span>
                <span className="sr-only">{name}</span>
              </span>
            )}
            <span className="num">{formatCount(values[0] ?? 0)}</span>
            <span className="num muted">{percentage}</span>
          </li>
        ))}
      </ul>
    );
  }
  if (figure.series.length < 2) return null;
  return (
    <ul className={styles.series}>
      {figure.series.map(({ name, tone }, at) => (
        <li key={name}>
          <span
            className={styles.swatch}
            data-striped={at > 0 || undefined}
            style={{ "--tone": `var(--${tone})` } as React.CSSProperties}
            aria-hidden
          />
          {name}
        </li>
      ))}
    </ul>
  );
}
