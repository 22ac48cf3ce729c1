/**
 * Status changes of a batch's row. The caller holds the row lock of `lockBatch` in the same transaction and passes the
 * status that its decision names.
 */
import { batchTransitions } from "@malote/domain/batch-status";
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { movesTo } from "../../platform/db/moves-to.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { type BatchRow, batchColumns } from "./store.ts";

export async function markSentToApproval(
  tx: Tx,
  id: string,
  to: "WAITING_APPROVAL",
  { revision, digest }: { revision: number; digest: string },
): Promise<BatchRow> {
  return onlyRow(
    await sql<BatchRow>`
    UPDATE batches b SET status = ${to}, approval_revision = ${revision}, approval_digest = ${digest},
      reprove_reason = NULL, sent_back_by = NULL
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status IN ${movesTo(batchTransitions, "WAITING_APPROVAL")}
    RETURNING ${batchColumns}
  `.execute(tx),
  );
}

/**
 * Moves a batch back to draft. `sentBackBy` is null when the caller reopens it for editing, which needs no explanation.
 */
export async function returnToDraft(
  tx: Tx,
  id: string,
  to: "DRAFT",
  { sentBackBy, reason }: { sentBackBy: BatchRow["sent_back_by"]; reason: string | null },
): Promise<BatchRow> {
  return onlyRow(
    await sql<BatchRow>`
    UPDATE batches b SET status = ${to}, approval_revision = NULL, approval_digest = NULL, reprove_reason = ${reason},
      sent_back_by = ${sentBackBy}, waiting_since = NULL, waiting_reason = NULL, limited_until = NULL, closed_at = NULL
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status IN ${movesTo(batchTransitions, "DRAFT")}
    RETURNING ${batchColumns}
  `.execute(tx),
  );
}

export async function markRemoved(tx: Tx, id: string, to: "REMOVED", now: Date): Promise<void> {
  await sql`
    UPDATE batches SET status = ${to}, removed_at = ${now}, waiting_since = NULL, waiting_reason = NULL,
      limited_until = NULL
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status IN ${movesTo(batchTransitions, "REMOVED")}
  `.execute(tx);
}

/**
 * Closes the batch: funded (`to`) or queued for funds (WAITING). The closing number distinguishes repeated closings
 * of the batch and is part of the ledger's cause. Throws when the batch cannot be closed.
 */
export async function markClosed(
  tx: Tx,
  id: string,
  {
    to,
    closing,
    isFunded,
    closedBy,
    approversMin,
    digest,
    now,
  }: {
    to: "PENDING";
    closing: number;
    isFunded: boolean;
    closedBy: string | null;
    approversMin: number;
    digest: string | null;
    now: Date;
  },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    ${prepared} UPDATE batches SET status = CASE WHEN ${isFunded}::boolean THEN ${to} ELSE 'WAITING' END,
      closings = ${closing}, approvers_min = ${approversMin}, approval_digest = coalesce(${digest}::text, approval_digest),
      closed_at = ${now}::timestamptz, closed_by = ${closedBy}, reprove_reason = NULL, sent_back_by = NULL,
      waiting_since = CASE WHEN ${isFunded}::boolean THEN waiting_since ELSE ${now}::timestamptz END,
      reserved_value = CASE WHEN ${isFunded}::boolean THEN value ELSE reserved_value END
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status IN ${movesTo(batchTransitions, ["PENDING", "WAITING"])}
      AND closings = ${closing}::int - 1
    RETURNING id
  `.execute(tx);
  if (rows.length !== 1) throw new Error(`closing changed no row of batch ${id}`);
}

export async function markReserved(tx: Tx, id: string): Promise<void> {
  await sql`
    ${prepared} UPDATE batches SET reserved_value = value WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
}

export async function markReceived(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`
    UPDATE batches SET status = 'RECEIVED', received_date = ${now}, waiting_since = NULL, waiting_reason = NULL,
      limited_until = NULL, limit_takes = NULL
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status IN ${movesTo(batchTransitions, "RECEIVED")}
  `.execute(tx);
}

/**
 * Adds to the counters of a batch and ends it when every payment is paid or returned. Returns true when every payment
 * has an outcome, failed ones included.
 */
export async function settleBatch(
  tx: Tx,
  id: string,
  by: { paid?: number; failed?: number; returned?: number; returnedValue?: number; reserved?: number },
  now: Date,
): Promise<boolean> {
  const left = sql`(payments_count - paid_count - ${by.paid ?? 0}::int - returned_count - ${by.returned ?? 0}::int)`;
  const nonePaid = sql`(paid_count + ${by.paid ?? 0}::int = 0)`;
  const ends = sql`(status IN ${movesTo(batchTransitions, ["FINISHED", "RETURNED"])} AND ${left} <= 0)`;
  const { rows } = await sql<{ is_settled: boolean }>`
    UPDATE batches SET paid_count = paid_count + ${by.paid ?? 0}::int, failed_count = failed_count + ${by.failed ?? 0}::int,
      returned_count = returned_count + ${by.returned ?? 0}::int,
      returned_value = returned_value + ${by.returnedValue ?? 0}::bigint,
      reserved_value = reserved_value + ${by.reserved ?? 0}::bigint,
      status = CASE WHEN NOT ${ends} THEN status WHEN ${nonePaid} THEN 'RETURNED' ELSE 'FINISHED' END,
      finish_date = CASE WHEN ${ends} AND NOT ${nonePaid} THEN ${now}::timestamptz ELSE finish_date END,
      returned_date = CASE WHEN ${ends} AND ${nonePaid} THEN ${now}::timestamptz ELSE returned_date END
    WHERE company_id = ${tx.companyId} AND id = ${id}
    RETURNING paid_count + failed_count + returned_count = payments_count AS is_settled
  `.execute(tx);
  return rows[0]?.is_settled === true;
}

/** Ends a cancelled batch. The same transaction returns its payments and its money. */
export async function markCancelled(tx: Tx, id: string, to: "RETURNED", now: Date): Promise<BatchRow> {
  const { rows } = await sql<BatchRow>`
    UPDATE batches b SET status = ${to}, returned_date = ${now}, cancel_requested_at = ${now}, is_canceled = true,
      returned_count = payments_count, returned_value = value, reserved_value = 0
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status IN ${movesTo(batchTransitions, "RETURNED")}
      AND reserved_value = value
    RETURNING ${batchColumns}
  `.execute(tx);
  const [cancelled] = rows;
  if (!cancelled) throw new Error(`batch ${id} has reserved less than its payments need`);
  return cancelled;
}

export async function setReconciled(tx: Tx, id: string, reconciled: boolean): Promise<BatchRow> {
  return onlyRow(
    await sql<BatchRow>`
    UPDATE batches b SET reconciled = ${reconciled} WHERE company_id = ${tx.companyId} AND id = ${id}
    RETURNING ${batchColumns}
  `.execute(tx),
  );
}
