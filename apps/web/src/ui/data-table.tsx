import type { CSSProperties, ReactNode } from "react";
import styles from "./data-table.module.css";

export interface Column<Row> {
  id: string;
  heading: ReactNode;
  /** Label beside each value on phones; the heading when left out. */
  label?: string;
  cell: (row: Row) => ReactNode;
  /** Figures are right-aligned, in tabular digits. */
  numeric?: boolean;
  /** Relative weight of the width. */
  width?: number;
  /** On phones: `title` is the card's headline, `hidden` leaves the column out; others show as label and value. */
  onPhone?: "title" | "end" | "hidden";
}

interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Rows that open something get a pointer; the cell itself holds the real link or button. */
  onRow?: (row: Row) => void;
  /** True while new rows are loading: the old ones stay, dimmed. */
  refetching?: boolean;
  /** Rows before and after the list: opening and closing balance, totals. */
  before?: ReactNode;
  after?: ReactNode;
  empty?: ReactNode;
  /** True when the widths are fixed, whatever the cells contain. */
  fixed?: boolean;
  /** Rows and headings on two lines, in windows between a phone's width and one wide enough for one line. */
  twoLines?: TwoLines;
}

/** Grid areas as CSS takes them, named by the ids of the columns. */
export interface TwoLines {
  widths: string;
  first: string;
  second: string;
}

/** A table on wide screens, cards on phones, with the same markup, so that screen readers always find a table. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    caption,
    columns,
    rows,
    keyOf,
    onRow,
    refetching = false,
    before,
    after,
    empty,
    fixed = false,
    twoLines,
  } = props;
  const weights = columns.reduce((sum, column) => sum + (column.width ?? 1), 0);
  return (
    <div
      className={`panel ${styles.frame}`}
      aria-busy={refetching || undefined}
      data-dim={refetching || undefined}
    >
      <table
        className={styles.table}
        data-fixed={fixed || undefined}
        data-two-lines={twoLines ? true : undefined}
        style={twoLines && placesOf(twoLines)}
      >
        <caption className="sr-only">{caption}</caption>
        <colgroup>
          {columns.map((column) => (
            <col key={column.id} style={{ width: `${((column.width ?? 1) / weights) * 100}%` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                data-numeric={column.numeric || undefined}
                style={twoLines && placeOf(column)}
              >
                {column.heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before}
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              data-opens={onRow ? true : undefined}
              onClick={(event) => {
                const onControl = (event.target as HTMLElement).closest("a, button, input, label");
                if (!onControl) onRow?.(row);
              }}
            >
              {columns.map((column) => (
                <td
                  key={column.id}
                  data-numeric={column.numeric || undefined}
                  data-phone={column.onPhone ?? "line"}
                  style={twoLines && placeOf(column)}
                >
                  <span className={styles.label} aria-hidden>
                    {column.label ?? column.heading}
                  </span>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 && empty ? (
            <tr>
              <td colSpan={columns.length} className={styles.empty}>
                {empty}
              </td>
            </tr>
          ) : null}
          {after}
        </tbody>
      </table>
    </div>
  );
}

const placesOf = ({ widths, first, second }: TwoLines) =>
  ({ "--widths": widths, "--lines": `"${first}" "${second}"` }) as CSSProperties;
const placeOf = ({ id }: { id: string }) => ({ "--place": id }) as CSSProperties;
