import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { IconButton } from "./button.tsx";
import { formatCount } from "./format.ts";
import styles from "./pagination.module.css";

interface PaginationProps {
  /** Counted from 0. */
  page: number;
  itemsPerPage: number;
  totalItems: number;
  onPage: (page: number) => void;
}

/** First, last, and the neighbours of the current page; `null` marks a gap. */
export function pagesAround(page: number, count: number): (number | null)[] {
  const wanted = [0, page - 1, page, page + 1, count - 1].filter((at) => at >= 0 && at < count);
  const numbers = [...new Set(wanted)].sort((a, b) => a - b);
  return numbers.flatMap((at, index) => {
    const gap = at - (numbers[index - 1] ?? at);
    if (gap === 2) return [at - 1, at];
    return gap > 2 ? [null, at] : [at];
  });
}

export function Pagination({ page, itemsPerPage, totalItems, onPage }: PaginationProps) {
  const count = Math.max(1, Math.ceil(totalItems / itemsPerPage));
  if (count === 1) return null;
  const first = page * itemsPerPage + 1;
  const last = Math.min(totalItems, first + itemsPerPage - 1);
  return (
    <nav className={styles.pagination} aria-label="Páginas">
      <span className="small muted num">
        {formatCount(first)}–{formatCount(last)} de {formatCount(totalItems)}
      </span>
      <div className={styles.buttons}>
        <IconButton label="Página anterior" disabled={page === 0} onClick={() => onPage(page - 1)}>
          <IconChevronLeft size={18} aria-hidden />
        </IconButton>
        {pagesAround(page, count).map((at, index, all) =>
          at === null ? (
            <span key={`gap-after-${all[index - 1]}`} aria-hidden>
              …
            </span>
          ) : (
            <button
              key={at}
              type="button"
              aria-label={`Página ${at + 1}`}
              aria-current={at === page ? "page" : undefined}
              onClick={() => onPage(at)}
            >
              {formatCount(at + 1)}
            </button>
          ),
        )}
        <IconButton label="Próxima página" disabled={page >= count - 1} onClick={() => onPage(page + 1)}>
          <IconChevronRight size={18} aria-hidden />
        </IconButton>
      </div>
    </nav>
  );
}
