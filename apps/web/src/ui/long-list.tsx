import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { formatCount } from "./format.ts";
import styles from "./long-list.module.css";

interface LongListProps<Row> {
  rows: readonly Row[];
  /** Number of rows shown at once, and added each time. */
  first: number;
  step: number;
  keyOf: (row: Row) => string;
  children: (row: Row) => ReactNode;
  label?: string;
  className?: string;
  rowClassName?: string;
  moreClassName?: string;
  /** Rows that are not fetched yet: their number, and the way to fetch more. */
  beyond?: { count: number; busy: boolean; fetch: () => void };
}

/**
 * Shows a long list in parts: a scroll bar of its own inside a scrolling page would catch the finger and hide the
 * length.
 */
export function LongList<Row>(props: LongListProps<Row>) {
  const { rows, first, step, keyOf, children, label, beyond } = props;
  const { className = "", rowClassName = "", moreClassName = "" } = props;
  const [count, setCount] = useState(first);
  const list = useRef<HTMLUListElement>(null);
  const shown = rows.slice(0, count);
  const hidden = rows.length - shown.length;
  const left = hidden + (beyond?.count ?? 0);
  function showMore() {
    if (hidden < step && beyond && beyond.count > 0) beyond.fetch();
    // Shows fetched rows as they arrive.
    setCount(count + Math.min(step, left));
  }
  // The button may be gone: the focus moves to the first new row.
  const reached = useRef(first);
  useEffect(() => {
    if (shown.length > reached.current)
      (list.current?.children[reached.current] as HTMLElement | undefined)?.focus();
    reached.current = shown.length;
  }, [shown.length]);
  return (
    <>
      <ul ref={list} className={`${styles.list} ${className}`} aria-label={label}>
        {shown.map((row) => (
          <li key={keyOf(row)} className={rowClassName} tabIndex={-1}>
            {children(row)}
          </li>
        ))}
      </ul>
      {left > 0 ? (
        <Button
          size="sm"
          className={`${styles.more} ${moreClassName}`}
          busy={beyond?.busy ?? false}
          onClick={showMore}
        >
          Mostrar mais {formatCount(Math.min(step, left))}
        </Button>
      ) : null}
    </>
  );
}
