import type { Batch } from "@malote/contracts/batches";
import { Link } from "@tanstack/react-router";
import { counted, cutText, formatDateTime, formatNear } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import styles from "./batch-card.module.css";
import { lookOf, paymentWords } from "./batch-status.ts";

/** BAT-019: cards cut longer batch names. */
const nameMax = 20;

export function BatchCard({ batch }: { batch: Batch }) {
  const look = lookOf(batch);
  const isPaying = batch.status === "RECEIVED" && !batch.is_canceled && batch.payments_count > 0;
  return (
    <article className={styles.card}>
      <div className={styles.row}>
        <h2 className="cut">
          <Link
            to="."
            search={(before) => ({ ...before, lote: batch.id })}
            resetScroll={false}
            className={styles.opener ?? ""}
            title={batch.name}
          >
            <span className="sr-only">Abrir o lote {batch.name}</span>
            <span aria-hidden>{cutText(batch.name, nameMax)}</span>
          </Link>
        </h2>
        <StatusPill color={look.color} shape={look.shape}>
          {look.name}
        </StatusPill>
      </div>
      <MoneyText cents={batch.value} className={styles.value ?? ""} />
      <div className={`${styles.row} small muted`}>
        <span className="cut">{workOf(batch, counted(batch.payments_count, ...paymentWords(batch)))}</span>
        <span
          className="cut"
          title={`Criado em ${formatDateTime(batch.created_at)} por ${batch.created_by.name}`}
        >
          {batch.created_by.name.split(/\s+/)[0]} · {formatNear(batch.created_at)}
        </span>
      </div>
      <div className={styles.track} aria-hidden>
        {isPaying ? (
          <i style={{ width: `${Math.round((batch.paid_count / batch.payments_count) * 100)}%` }} />
        ) : null}
      </div>
    </article>
  );
}

/** Shows the progress of the payments, or how many are wrong. */
function workOf(batch: Batch, count: string): string {
  if (batch.status === "DRAFT" && batch.errors_count > 0) return `${count} · ${batch.errors_count} com erro`;
  if (batch.status === "FINISHED" && batch.reconciled) return `${count} · conciliado`;
  if (batch.status !== "RECEIVED" || batch.is_canceled) return count;
  const failed = batch.failed_count > 0 ? ` · ${counted(batch.failed_count, "falha", "falhas")}` : "";
  return `${batch.paid_count} de ${batch.payments_count} pagos${failed}`;
}
