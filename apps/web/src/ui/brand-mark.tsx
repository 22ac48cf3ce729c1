import styles from "./brand-mark.module.css";

/** Drawing of each brand: a mail pouch for Malote, a sun over the horizon for Horizonte. */
export function BrandMark({
  brandId,
  name,
  nameHidden = false,
}: {
  brandId: string;
  name: string;
  nameHidden?: boolean;
}) {
  return (
    <span className={styles.mark}>
      <i aria-hidden>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          {brandId === "horizonte" ? (
            <path d="M3 17h18M7 17a5 5 0 0 1 10 0M12 5v3M4.5 9.5l2 1.6M19.5 9.5l-2 1.6M8 21h8" />
          ) : (
            <path d="M4 7h16v12H4zM8 7V4h8v3M4 12h16" />
          )}
        </svg>
      </i>
      <span className={nameHidden ? "sr-only" : styles.name}>{name}</span>
    </span>
  );
}
