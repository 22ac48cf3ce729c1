import { formatCount } from "../ui/format.ts";
import type { Figure } from "./figures.ts";
import styles from "./indicators.module.css";

/** Numbers of a chart, line by line. A year of days scrolls inside its card, by the keyboard too. */
export function FigureTable({ title, figure }: { title: string; figure: Figure }) {
  const hasShares = figure.lines.some(({ percentage }) => percentage !== undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section className={styles.scroll} aria-label={`Tabela: ${title}`} tabIndex={0}>
      <table className={styles.table}>
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{figure.heading}</th>
            {figure.series.map(({ name }) => (
              <th key={name} scope="col" data-numeric>
                {name}
              </th>
            ))}
            {hasShares ? (
              <th scope="col" data-numeric>
                Percentual
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {figure.lines.map(({ name, values, percentage }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {figure.series.map(({ name: series }, at) => (
                <td key={series} data-numeric>
                  {formatCount(values[at] ?? 0)}
                </td>
              ))}
              {hasShares ? <td data-numeric>{percentage}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
