import { IconCheck } from "@tabler/icons-react";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import styles from "./list-box.module.css";
import { Popover } from "./popover.tsx";

export interface ListLine {
  value: string;
  label: ReactNode;
}

interface ListBoxProps {
  id: string;
  label: string;
  /** Field that the list belongs to; it keeps the focus. */
  field: RefObject<HTMLInputElement | null>;
  lines: readonly ListLine[];
  /** Line that the arrows are on. */
  at: number;
  onPoint: (at: number) => void;
  onChoose: (value: string) => void;
  onClose: () => void;
  /** Line chosen before. */
  chosen?: string | null;
  /** Shown in place of lines. */
  nothing: string;
}

export const lineId = (listId: string, at: number) => `${listId}-${at}`;

/** Returns the line that an arrow key leads to; the first follows the last. */
export function stepped(at: number, key: string, count: number): number | undefined {
  const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : undefined;
  return step && count > 0 ? (at + step + count) % count : undefined;
}

/** Lines below a field: the list handles the pointer, the field handles the keys. */
export function ListBox(props: ListBoxProps) {
  const { id, label, field, lines, at, onPoint, onChoose, onClose, chosen, nothing } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView?.({ block: "nearest" });
  }, [at]);
  return (
    <Popover anchor={field} onClose={onClose}>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={label}
        tabIndex={-1}
        className={styles.list}
        hidden={lines.length === 0}
        // The field keeps the focus while the pointer chooses.
        onMouseDown={(event) => event.preventDefault()}
      >
        {lines.map(({ value, label: text }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys for the whole list
          <div
            key={value}
            id={lineId(id, index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={styles.line}
            onPointerMove={() => onPoint(index)}
            onClick={() => onChoose(value)}
          >
            <div className="cut">{text}</div>
            {value === chosen ? <IconCheck size={16} aria-hidden /> : null}
          </div>
        ))}
      </div>
      <p className={styles.nothing} role="status">
        {lines.length === 0 ? nothing : ""}
      </p>
    </Popover>
  );
}
