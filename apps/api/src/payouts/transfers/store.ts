/**
 * Access to the table `transfers`, which includes boletos with rules of their own. Functions that write change drafts
 * only, unless their name states otherwise.
 */

import { closedBatchStatuses } from "@malote/domain/batch-status";
import { brCodeMax } from "@malote/domain/br-code";
import type { DataMark } from "@malote/domain/data-marks";
import type { Issue } from "@malote/domain/issues";
import {
  type PaymentStatus,
  paymentTransitions,
  statusesFreeingCode,
  statusesWithReason,
} from "@malote/domain/payment-status";
import { locationOf, type PixCharge } from "@malote/domain/pix-charge";
import { type CodedDraft, storableTransfer, type TransferMethod } from "@malote/domain/transfer";
import { sql } from "kysely";
import type { CorrectedPayment } from "../../controls/index.ts";
import { countBeforeAndAfter, type MovedCount } from "../../indicators/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import { movesTo } from "../../platform/db/moves-to.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { statusIn } from "../../platform/db/status-in.ts";
import { wholeText } from "../../platform/db/whole-text.ts";
import { columnsOfTransfers, sqlDestination, sqlIsOfKind } from "../column-lists.ts";
import type { DraftDelta } from "../draft-payment-store.ts";
import { sqlKeyHolderName } from "../lookups/holder-name.ts";
import {
  columnsOfDraft,
  type FieldRow,
  fieldColumns,
  fieldsOfRow,
  type ResendRecord,
  type StoredIssue,
  type WrittenPayment,
} from "../payment-columns.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import { sqlIsDuplicatedCode, sqlIsHolderBlocked } from "../rules/rules-sql.ts";

export interface TransferRow extends FieldRow<"TRANSFER"> {
  id: string;
  batch_id: string;
  position: number;
  status: PaymentStatus;
  payment_method: TransferMethod;
  errors: StoredIssue[] | null;
  warnings: StoredIssue[] | null;
  sheet_row: number | null;
  sheet_cells: Record<string, string> | null;
  data_marks: DataMark[] | null;
  emv: string | null;
  emv_data: PixCharge | null;
  /** True when another payment has the charge of this draft payment too. */
  is_duplicated_code: boolean;
  is_holder_blocked: boolean;
  return_code: string | null;
  status_description: string | null;
  end_to_end_id: string | null;
  transfer_date: Date | null;
  returned_date: Date | null;
  created_at: Date;
  receiver_id: string;
  /**
   * Reason why the last payment to this receiver failed; '' without a reason, null when it arrived or none was made.
   */
  receiver_failure: string | null;
  /** Name of the key's holder, for a payment without a name. */
  key_holder_name: string | null;
}

/** Columns of a payment that a screen or the network needs. */
export const transferColumns = sql`
  t.id, t.batch_id, t.position, t.status, t.payment_method, ${columnsOfTransfers(fieldColumns.TRANSFER)}, t.errors,
  t.warnings, t.sheet_row, t.sheet_cells, t.data_marks, t.status_description, t.end_to_end_id, t.transfer_date,
  t.returned_date, t.created_at, t.emv, t.emv_data, t.return_code,
  (t.status = 'CREATED' AND ${sqlIsDuplicatedCode}) AS is_duplicated_code,
  (t.status = 'CREATED' AND ${sqlIsHolderBlocked}) AS is_holder_blocked, receiver_id(t) AS receiver_id,
  CASE WHEN t.status IN ${statusIn(["CREATED", ...statusesWithReason])} THEN (
    SELECT coalesce(r.status_description, '') FROM (
      SELECT ${sqlDestination} AS destination OFFSET 0) d
    JOIN receivers r ON r.company_id = t.company_id AND r.destination = d.destination AND r.status = 'FAILED'
  ) END AS receiver_failure,
  ${sqlKeyHolderName} AS key_holder_name`;

export const draftOf = (row: TransferRow): CodedDraft => ({
  ...fieldsOfRow("TRANSFER", row),
  ...(row.emv !== null && { emv: row.emv, charge: row.emv_data }),
});

export interface ListedRow extends TransferRow {
  batch_name: string;
}

export async function listTransfersById(tx: Tx, ids: readonly string[]): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    SELECT ${transferColumns},
      (SELECT b.name FROM batches b WHERE b.company_id = t.company_id AND b.id = t.batch_id) AS batch_name
    FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.id = ANY(${[...ids]}::uuid[]) AND ${sqlIsOfKind.TRANSFER}
  `.execute(tx);
  return rows;
}

export async function findTransfer(tx: Tx, id: string): Promise<TransferRow | undefined> {
  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns} FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.id = ${id} AND ${sqlIsOfKind.TRANSFER}
  `.execute(tx);
  return rows[0];
}

/** Payment to write, checked and whole. */
export interface TransferToWrite {
  id: string;
  draft: CodedDraft;
  method: TransferMethod;
  errors: Issue[];
  warnings: Issue[];
  marks?: readonly DataMark[];
}

/** Returns the columns of the payment to write. */
export function recordOf({
  id,
  draft: given,
  method,
  errors,
  warnings,
  marks = [],
}: TransferToWrite): WrittenPayment<"TRANSFER"> {
  const draft = storableTransfer(given);
  return {
    id,
    ...columnsOfDraft("TRANSFER", draft),
    payment_method: method,
    errors: errors.length > 0 ? errors : null,
    warnings: warnings.length > 0 ? warnings : null,
    data_marks: marks.length > 0 ? marks : null,
    emv: draft.emv?.slice(0, brCodeMax) ?? null,
    emv_data: draft.charge ?? null,
    emv_location: locationOf(draft.emv),
    emv_until: draft.charge?.until ?? null,
  };
}

/**
 * Returns those of these payments that carry a mark, came from a sheet, or have an issue whose suggestion may be
 * accepted.
 */
export async function listMarkedTransfers(
  tx: Tx,
  batchId: string,
  ids: readonly string[],
): Promise<TransferRow[]> {
  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns} FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.id = ANY(${ids}::uuid[])
      AND (t.data_marks IS NOT NULL OR t.errors IS NOT NULL OR t.sheet_row IS NOT NULL)
  `.execute(tx);
  return rows;
}

export async function removeDraftTransfers(
  tx: Tx,
  batchId: string,
  ids: readonly string[],
): Promise<DraftDelta & { removed: number }> {
  return onlyRow(
    await sql<DraftDelta & { removed: number }>`
    WITH gone AS (
      DELETE FROM transfers t
      WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.id = ANY(${ids}::uuid[]) AND t.status = 'CREATED'
      RETURNING coalesce(value, 0) AS value, (errors IS NOT NULL)::int AS errors
    )
    SELECT -coalesce(sum(value), 0)::bigint AS value, -count(*)::int AS payments, -coalesce(sum(errors), 0)::int AS errors,
           count(*)::int AS removed
    FROM gone
  `.execute(tx),
  );
}

/** Returns the codes of payments that a change leaves as they are. */
export async function readCodes(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, { emv: string; charge: PixCharge | null }>> {
  const { rows } = await sql<{ id: string; emv: string; charge: PixCharge | null }>`
    SELECT t.id, t.emv, t.emv_data AS charge FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.id = ANY(${[...ids]}::uuid[]) AND t.emv IS NOT NULL
  `.execute(tx);
  return new Map(rows.map(({ id, emv, charge }) => [id, { emv, charge }]));
}

/** Returns whether another payment has this charge and is paid, on its way, or in a closed batch. */
export async function isChargeUsed(tx: Tx, location: string, except: string): Promise<boolean> {
  return onlyRow(
    await sql<{ used: boolean }>`
    SELECT EXISTS (
      SELECT FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
      WHERE t.company_id = ${tx.companyId} AND t.emv_location = ${location} AND t.id <> ${except}
        AND t.status NOT IN ${statusIn(statusesFreeingCode)} AND (t.status <> 'CREATED' OR b.status IN ${statusIn(closedBatchStatuses)})
    ) AS used
  `.execute(tx),
  ).used;
}

/** Returns whether a batch pays charges, each of which may be paid only once. */
export async function hasCharges(tx: Tx, batchId: string): Promise<boolean> {
  return onlyRow(
    await sql<{ any: boolean }>`
    ${prepared} SELECT EXISTS (SELECT FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId}
      AND t.emv_location IS NOT NULL) AS any
  `.execute(tx),
  ).any;
}

/**
 * Returns whether a transfer is late: only a TED for today is, after the cut-off. On a day without settlement none is,
 * because no cut-off has passed.
 */
export async function anyTransferRunsLater(
  tx: Tx,
  batchId: string,
  { tedClosedToday }: DayFacts,
): Promise<boolean> {
  return onlyRow(
    await sql<{ any: boolean }>`
    SELECT EXISTS (SELECT FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId}
      AND t.payment_method = 'TED' AND t.payment_date IS NULL AND ${tedClosedToday}::boolean) AS any
  `.execute(tx),
  ).any;
}

/** Returns a failed payment as the correction would send it. */
export const transferToResend = (transfer: TransferToWrite): ResendRecord => ({
  id: transfer.id,
  record: recordOf(transfer),
});

/**
 * Returns the facts of a correction for the controls: its payee, and whether the payee or the Pix code differs from
 * that of the failed payment.
 */
export async function readCorrectedPayment(tx: Tx, transfer: TransferToWrite): Promise<CorrectedPayment> {
  return onlyRow(
    await sql<CorrectedPayment>`
    SELECT t.id, t.value, receiver_id(c) AS payee,
      receiver_id(c) <> receiver_id(t) OR c.emv IS DISTINCT FROM t.emv AS redirects
    FROM transfers t, jsonb_populate_record(t, ${JSON.stringify(recordOf(transfer), wholeText)}::jsonb) c
    WHERE t.company_id = ${tx.companyId} AND t.id = ${transfer.id}
  `.execute(tx),
  );
}

/**
 * Takes every payment of a batch off its schedule. Skips a payment that a worker claims at the same moment: the caller
 * counts, and rolls back when one is missing.
 */
export async function markUnscheduled(
  tx: Tx,
  batchId: string,
  reason: string,
  now: Date,
): Promise<MovedCount[]> {
  const { rows } = await sql<MovedCount>`
    UPDATE transfers t SET status = 'RETURNED', returned_date = ${now}, status_description = ${reason}
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.execute_at > ${now}
      AND t.status IN ${movesTo(paymentTransitions, "RETURNED", ["SCHEDULED"])}
    RETURNING ${countBeforeAndAfter}
  `.execute(tx);
  return rows;
}

interface ReturnedPayment extends MovedCount {
  id: string;
  value: number;
  status_description: string | null;
  name: string | null;
}

/**
 * Marks failed payments as RETURNED, with every other failed one to the same receivers (TRF-047). Returns the payments
 * that this call moved.
 */
export async function markReturned(
  tx: Tx,
  batchId: string,
  ids: readonly string[],
  now: Date,
): Promise<ReturnedPayment[]> {
  const { rows } = await sql<ReturnedPayment>`
    UPDATE transfers t SET status = 'RETURNED', returned_date = ${now}
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId}
      AND t.status IN ${movesTo(paymentTransitions, "RETURNED", ["FAILED"])}
      AND receiver_id(t) IN (
        SELECT receiver_id(chosen) FROM transfers chosen
        WHERE chosen.company_id = ${tx.companyId} AND chosen.batch_id = ${batchId} AND chosen.id = ANY(${[...ids]}::uuid[])
          AND chosen.status = 'FAILED')
    RETURNING t.id, t.value, t.status_description, coalesce(t.name, t.description) AS name, ${countBeforeAndAfter}
  `.execute(tx);
  return rows;
}
