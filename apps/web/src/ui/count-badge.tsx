import styles from "./count-badge.module.css";

const shownMax = 99;

export const shownCount = (count: number): string => (count > shownMax ? `${shownMax}+` : String(count));

/** Number of items that wait behind an entry of the menu; hidden at zero. */
export function CountBadge({ count, words }: { count: number; words: string }) {
  if (count === 0) return null;
  return (
    <span className={styles.badge}>
      <span aria-hidden>{shownCount(count)}</span>
      <span className="sr-only">, {words}</span>
    </span>
  );
}
