import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { Button } from "./button.tsx";
import styles from "./pagination.module.css";

interface CursorPagerProps {
  /** Cursors of the previous and the next page; null when there is none. */
  previous: string | null;
  next: string | null;
  onCursor: (cursor: string) => void;
  /** Rows per page, when that can be chosen. */
  size?: { value: number; options: readonly number[]; onSize: (size: number) => void };
}

/** Pages through lists whose length is unknown. */
export function CursorPager({ previous, next, onCursor, size }: CursorPagerProps) {
  return (
    <nav className={styles.pagination} aria-label="Páginas">
      {size ? (
        <label className={`small muted ${styles.size}`}>
          Por página
          <select value={size.value} onChange={(event) => size.onSize(Number(event.currentTarget.value))}>
            {size.options.map((option) => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <span />
      )}
      <div className={styles.buttons}>
        <Button
          size="sm"
          icon={<IconChevronLeft size={16} aria-hidden />}
          disabled={previous === null}
          onClick={() => previous !== null && onCursor(previous)}
        >
          Anterior
        </Button>
        <Button size="sm" disabled={next === null} onClick={() => next !== null && onCursor(next)}>
          Próxima
          <IconChevronRight size={16} aria-hidden />
        </Button>
      </div>
    </nav>
  );
}
