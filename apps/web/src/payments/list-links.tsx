import { Link } from "@tanstack/react-router";
import { cutText } from "../ui/format.ts";
import styles from "./payments-page.module.css";

type Raw = Record<string, unknown>;

/** The payment a row names, opened over the list. */
export function OpenPaymentLink({ id, name, max }: { id: string; name: string; max: number }) {
  return (
    <Link
      to="."
      search={((before: Raw) => ({ ...before, detalhe: id })) as never}
      resetScroll={false}
      className={styles.open ?? ""}
      title={name}
    >
      {cutText(name, max)}
    </Link>
  );
}

/** Its batch, opened over the list (BAT-023); the payment's own dialog closes. */
export function OpenBatchLink({ id, name, max }: { id: string; name: string; max: number }) {
  return (
    <Link
      to="."
      search={((before: Raw) => ({ ...before, detalhe: undefined, lote: id })) as never}
      resetScroll={false}
      className={styles.batch ?? ""}
      title={name}
    >
      {cutText(name, max)}
    </Link>
  );
}

/** A number or key on one line, as much of it as there is room for; the whole of it when it is pointed at. */
export function OneLine({ whole, children = whole }: { whole: string; children?: string }) {
  return (
    <span className={styles.line} title={whole}>
      <span className={styles.lineText}>{children}</span>
    </span>
  );
}
