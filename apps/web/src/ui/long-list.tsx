import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { formatCount } from "./format.ts";
import styles from "./long-list.module.css";

interface LongListProps<Row> {
  rows: readonly Row[];
  /** How many are shown at once, and how many more each time. */
  first: number;
  step: number;
  keyOf: (row: Row) => string;
  children: (row: Row) => ReactNode;
  label?: string;
  className?: string;
  rowClassName?: string;
  moreClassName?: string;
  /** Below the last row, once it is shown. */
  end?: ReactNode;
}

/** A long list by parts: a scroll bar of its own inside what scrolls already would catch the finger and hide how long it is. */
export function LongList<Row>(props: LongListProps<Row>) {
  const { rows, first, step, keyOf, children, label, end } = props;
  const { className = "", rowClassName = "", moreClassName = "" } = props;
  const [count, setCount] = useState(first);
  const list = useRef<HTMLUListElement>(null);
  const shown = rows.slice(0, count);
  const hidden = rows.length - shown.length;
  // The button may have gone: whoever pressed it reads on at the first row that is new.
  const reached = useRef(first);
  useEffect(() => {
    if (count > reached.current)
      (list.current?.children[reached.current] as HTMLElement | undefined)?.focus();
    reached.current = count;
  }, [count]);
  return (
    <>
      <ul ref={list} className={`${styles.list} ${className}`} aria-label={label}>
        {shown.map((row) => (
          <li key={keyOf(row)} className={rowClassName} tabIndex={-1}>
            {children(row)}
          </li>
        ))}
        {hidden === 0 && end ? <li>{end}</li> : null}
      </ul>
      {hidden > 0 ? (
        <Button
          size="sm"
          className={`${styles.more} ${moreClassName}`}
          onClick={() => setCount(count + step)}
        >
          Mostrar mais {formatCount(Math.min(step, hidden))}
        </Button>
      ) : null}
    </>
  );
}
