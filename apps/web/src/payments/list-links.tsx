import { Link } from "@tanstack/react-router";
import { cutText } from "../ui/format.ts";
import styles from "./payments-page.module.css";

/** Link to the payment of a row, opened above the list. */
export function OpenPaymentLink({ id, name, max }: { id: string; name: string; max: number }) {
  return (
    <Link
      to="."
      search={(before) => ({ ...before, detalhe: id })}
      resetScroll={false}
      className={styles.open ?? ""}
      title={name}
    >
      {cutText(name, max)}
    </Link>
  );
}

/** Link to its batch, opened above the list (BAT-023); the payment's own dialog closes. */
export function OpenBatchLink({ id, name, max }: { id: string; name: string; max: number }) {
  return (
    <Link
      to="."
      search={(before) => ({ ...before, detalhe: undefined, lote: id })}
      resetScroll={false}
      className={styles.batch ?? ""}
      title={name}
    >
      {cutText(name, max)}
    </Link>
  );
}

/** Number or key on one line, cut where the room ends; the whole text is its tooltip. */
export function OneLine({ whole, children = whole }: { whole: string; children?: string }) {
  return (
    <span className={styles.line} title={whole}>
      <span className={styles.lineText}>{children}</span>
    </span>
  );
}
