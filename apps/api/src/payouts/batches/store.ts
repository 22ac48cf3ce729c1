/** Access to the table `batches`. Functions that write expect the row lock of `lockBatch` in the same transaction. */

import { type BatchStatus, batchTypes } from "@malote/domain/batch-status";
import { sheetRowsMax } from "@malote/domain/limits";
import { centsMax } from "@malote/domain/money";
import { sql } from "kysely";
import { sqlAccountOf, sqlJoinCompany, sqlMayLeave, sqlMayPay, sqlOfCompany } from "../../company/index.ts";
import { hasApprovals, narrowApprovals, voidApprovals } from "../../controls/index.ts";
import { sqlJoinAvailable } from "../../ledger/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { contains } from "../../platform/db/contains.ts";
import type { AnyTx, Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { typeIn } from "../../platform/db/status-in.ts";
import type { PaymentKind } from "../payment-columns.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import { sqlIsExpired, sqlIsForbidden } from "../rules/rules-sql.ts";

export interface BatchRow {
  id: string;
  name: string;
  type: PaymentKind;
  status: BatchStatus;
  value: number;
  payments_count: number;
  errors_count: number;
  paid_count: number;
  failed_count: number;
  returned_count: number;
  returned_value: number;
  reserved_value: number;
  revision: number;
  created_at: Date;
  created_by: string | null;
  created_by_name: string;
  sheet_id: string | null;
  spreadsheet_file_name: string | null;
  was_imported: boolean;
  edited_by: string[];
  approval_revision: number | null;
  approval_digest: string | null;
  /** Number of other approvers that the batch needed when it was closed. */
  approvers_min: number;
  reprove_reason: string | null;
  /** Author of the return to draft, a person or the system; null when there is nothing to explain. */
  sent_back_by: "person" | "system" | null;
  /** User who closed the batch or gave its last approval; null for a credential. */
  closed_by: string | null;
  waiting_reason: string | null;
  closings: number;
  received_date: Date | null;
  finish_date: Date | null;
  returned_date: Date | null;
  reconciled: boolean;
  cancel_requested_at: Date | null;
  is_canceled: boolean;
  /** Company account that holds the money after the batch was received. */
  received_at: { agency: string; account: string } | null;
}

/**
 * Types of system batches: single payments stored as a batch, which no batch screen shows and which cannot be corrected
 * (decision 0012).
 */
export type SystemBatchType = "WITHDRAWAL" | "MICRO_DEPOSIT";

/** Locked row: a batch that people made, or a system batch. */
export type LockedBatch = Omit<BatchRow, "type"> & { type: BatchRow["type"] | SystemBatchType };

export const systemBatchTypeOf = ({ type }: LockedBatch): SystemBatchType | undefined =>
  type === "WITHDRAWAL" || type === "MICRO_DEPOSIT" ? type : undefined;

export const isBatch = (locked: LockedBatch): locked is BatchRow => systemBatchTypeOf(locked) === undefined;

/** Reason computed on each read and not stored, so that it disappears when the block ends. */
const blockedReason =
  "Sua conta está bloqueada para pagamentos. O lote espera e será pago quando o bloqueio terminar e houver saldo. Fale com o suporte.";

const suspendedReason =
  "Uma função que este lote usa está suspensa para a sua empresa. O lote espera e será pago quando ela voltar e houver saldo. Fale com o suporte, ou volte o lote para edição e pague de outra forma.";

/** Condition for a batch `b` of the company `c`: one of its payments uses a suspended method. */
const sqlIsHeld = sql`EXISTS (SELECT FROM transfers t WHERE t.company_id = b.company_id AND t.batch_id = b.id AND NOT ${sqlMayLeave(sql`t.payment_method`)})`;

/** Reason for which a batch `b` waits: a block or a suspension of its company, else the stored reason. */
const whyWaiting = sqlOfCompany(
  sql`b`,
  sql`CASE WHEN NOT ${sqlMayPay} THEN ${sql.lit(blockedReason)}::text
      WHEN ${sqlIsHeld} THEN ${sql.lit(suspendedReason)} ELSE b.waiting_reason END`,
);

export const batchColumns = sql`
  b.id, b.name, b.type, b.status, b.value, b.payments_count, b.errors_count, b.paid_count, b.failed_count,
  b.returned_count, b.returned_value, b.reserved_value, b.revision, b.created_at, b.created_by, b.created_by_name,
  b.sheet_id, b.spreadsheet_file_name, b.was_imported, b.edited_by, b.approval_revision, b.approval_digest, b.approvers_min,
  b.reprove_reason, b.sent_back_by, b.closed_by,
  CASE WHEN b.status = 'WAITING' THEN ${whyWaiting} ELSE b.waiting_reason END AS waiting_reason,
  b.closings, b.received_date, b.finish_date, b.returned_date, b.reconciled, b.cancel_requested_at, b.is_canceled,
  CASE WHEN b.received_date IS NOT NULL THEN ${sqlAccountOf(sql`b`)} END AS received_at`;

export async function findBatch(tx: Tx, id: string): Promise<BatchRow | undefined> {
  const { rows } = await sql<BatchRow>`
    ${prepared} SELECT ${batchColumns} FROM batches b
    WHERE b.company_id = ${tx.companyId} AND b.id = ${id} AND b.status <> 'REMOVED' AND b.type IN ${typeIn(batchTypes)}
  `.execute(tx);
  return rows[0];
}

/**
 * Locks the batch's row. Every change of a batch or its payments takes this lock first, so each decision sees the
 * result of the previous one.
 */
export async function lockBatch(tx: Tx, id: string): Promise<LockedBatch | undefined> {
  const { rows } = await sql<LockedBatch>`
    ${prepared} SELECT ${batchColumns} FROM batches b
    WHERE b.company_id = ${tx.companyId} AND b.id = ${id} AND b.status <> 'REMOVED' FOR UPDATE
  `.execute(tx);
  return rows[0];
}

export interface BatchFilter {
  from: Date;
  until: Date;
  status: string | undefined;
  search: string | undefined;
  searchCents: number | undefined;
  page: number;
  size: number;
}

/** Returns the batches created in the period, newest first, with the totals of the whole filter. */
export async function listBatches(
  tx: Tx,
  filter: BatchFilter,
): Promise<{ rows: BatchRow[]; count: number; value: number }> {
  const searched = filter.search
    ? sql`(${contains(sql`b.search_text`, filter.search)} OR b.value = ${filter.searchCents ?? null}::bigint)`
    : sql`true`;
  const matches = sql`
    b.company_id = ${tx.companyId} AND b.status <> 'REMOVED' AND b.type IN ${typeIn(batchTypes)}
    AND b.created_at >= ${filter.from} AND b.created_at < ${filter.until}
    AND (${filter.status ?? null}::text IS NULL OR b.status = ${filter.status ?? null})
    AND ${searched}`;
  // One scan serves the totals and the page.
  const found = onlyRow(
    await sql<{ count: number; value: number; ids: string[] }>`
    WITH found AS MATERIALIZED (SELECT b.id, b.created_at, b.value FROM batches b WHERE ${matches})
    SELECT count(*)::int AS count, least(coalesce(sum(value), 0), ${centsMax})::bigint AS value,
      ARRAY(SELECT id FROM found
        ORDER BY created_at DESC, id DESC LIMIT ${filter.size} OFFSET ${filter.page * filter.size}) AS ids
    FROM found
  `.execute(tx),
  );
  const { rows } = await sql<BatchRow>`
    SELECT ${batchColumns} FROM batches b WHERE b.company_id = ${tx.companyId} AND b.id = ANY(${found.ids}::uuid[])
    ORDER BY b.created_at DESC, b.id DESC
  `.execute(tx);
  return { rows, count: found.count, value: found.value };
}

export async function listWaiting(tx: Tx): Promise<BatchRow[]> {
  const { rows } = await sql<BatchRow>`
    SELECT ${batchColumns} FROM batches b WHERE b.company_id = ${tx.companyId} AND b.status = 'WAITING'
    ORDER BY b.waiting_since, b.id
  `.execute(tx);
  return rows;
}

export async function sumWaiting(tx: Tx): Promise<number> {
  return onlyRow(
    await sql<{ value: number }>`
    ${prepared} SELECT least(coalesce(sum(value), 0), ${centsMax})::bigint AS value FROM batches
    WHERE company_id = ${tx.companyId} AND status = 'WAITING'
  `.execute(tx),
  ).value;
}

export async function insertBatch(
  tx: Tx,
  batch: {
    id: string;
    name: string;
    type: string;
    createdBy: string | null;
    createdByName: string;
    editorId: string;
    now: Date;
  },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO batches (company_id, id, name, type, status, created_at, created_by, created_by_name, edited_by)
    VALUES (${tx.companyId}, ${batch.id}, ${batch.name}, ${batch.type}, 'DRAFT', ${batch.now}, ${batch.createdBy},
      ${batch.createdByName}, ARRAY[${batch.editorId}::uuid])
    ON CONFLICT (company_id, id) DO NOTHING RETURNING id
  `.execute(tx);
  return rows.length === 1;
}

/**
 * Updates the counts after a change of content and increments the revision, so that a decision on an older revision is
 * refused. Throws when the batch would exceed the rows of a sheet, which keeps its value a safe integer too. `editorId`
 * is the author of a written payment, which voids earlier approvals; null when payments were only removed.
 */
export async function applyContentChange(
  tx: Tx,
  id: string,
  by: { value: number; payments: number; errors: number },
  editorId: string | null,
  name?: string,
): Promise<BatchRow> {
  const { rows } = await sql<BatchRow>`
    UPDATE batches b SET value = value + ${by.value}::bigint, payments_count = payments_count + ${by.payments}::int,
      errors_count = errors_count + ${by.errors}::int, revision = revision + 1, name = coalesce(${name ?? null}, name),
      was_imported = false,
      edited_by = CASE WHEN ${editorId}::uuid IS NULL OR ${editorId}::uuid = ANY(edited_by) THEN edited_by ELSE edited_by || ${editorId}::uuid END
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status = 'DRAFT'
      AND payments_count + ${by.payments}::int <= ${sheetRowsMax}
    RETURNING ${batchColumns}
  `.execute(tx);
  const [changed] = rows;
  if (!changed) throw new AppError("batch_over_limit", { max: sheetRowsMax.toLocaleString("pt-BR") });
  if (editorId !== null) await voidApprovals(tx, id);
  return changed;
}

/**
 * Applies totals after a lookup changed payments of a draft. Leaves editors and `was_imported` as they are, because no
 * person changed anything.
 */
export async function updateRecheckedTotals(
  tx: Tx,
  id: string,
  by: { value: number; errors: number },
): Promise<void> {
  await sql`
    UPDATE batches SET value = value + ${by.value}::bigint, errors_count = errors_count + ${by.errors}::int,
      revision = revision + 1
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status = 'DRAFT'
  `.execute(tx);
}

/** Removes payments from a batch and keeps its approvals, because the remaining payments were approved as they are. */
export async function removeKeepingApprovals<Gone>(
  tx: Tx,
  batchId: string,
  takeOut: () => Promise<Gone>,
): Promise<Gone> {
  if (!(await hasApprovals(tx, batchId))) return takeOut();
  const before = await readDigest(tx, batchId);
  const gone = await takeOut();
  await narrowApprovals(tx, batchId, { before, after: await readDigest(tx, batchId) });
  return gone;
}

export async function renameBatch(tx: Tx, id: string, name: string): Promise<BatchRow> {
  return onlyRow(
    await sql<BatchRow>`
    UPDATE batches b SET name = ${name}, revision = revision + 1 WHERE company_id = ${tx.companyId} AND id = ${id}
    RETURNING ${batchColumns}
  `.execute(tx),
  );
}

/**
 * Counts draft payments without a stored issue that time or a new rule made wrong. A payment that is both expired and
 * forbidden counts as forbidden: a new date would not make it payable, and a batch that waits for money is paid late.
 */
export async function countNewlyWrong(
  tx: Tx,
  batchId: string,
  facts: DayFacts,
): Promise<{ expired: number; forbidden: number }> {
  return onlyRow(
    await sql<{ expired: number; forbidden: number }>`
    ${prepared} SELECT count(*) FILTER (WHERE ${sqlIsForbidden(facts)})::int AS forbidden,
           count(*) FILTER (WHERE ${sqlIsExpired(facts)} AND ${sqlIsForbidden(facts)} IS NOT TRUE)::int AS expired
    FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = 'CREATED' AND t.errors IS NULL
  `.execute(tx),
  );
}

/**
 * Returns a hash of everything that will be paid, independent of the order of rows. With the revision it binds an
 * approval to the content that the approver saw (ruling D21).
 */
export async function readDigest(tx: Tx, batchId: string): Promise<string> {
  return onlyRow(
    await sql<{
      digest: string;
    }>`SELECT batch_digest(${tx.companyId}::uuid, ${batchId}::uuid) AS digest`.execute(tx),
  ).digest;
}

export async function sumTotals(
  tx: Tx,
  batchId: string,
): Promise<{
  byStatus: { status: string; count: number; value: number }[];
  byMethod: { payment_method: string; count: number; value: number }[];
}> {
  const { rows } = await sql<{ status: string; payment_method: string; count: number; value: number }>`
    SELECT status, payment_method, count(*)::int AS count, coalesce(sum(value), 0)::bigint AS value FROM transfers
    WHERE company_id = ${tx.companyId} AND batch_id = ${batchId} GROUP BY status, payment_method
  `.execute(tx);
  const byStatus = new Map<string, { status: string; count: number; value: number }>();
  const byMethod = new Map<string, { payment_method: string; count: number; value: number }>();
  for (const { status, payment_method, count, value } of rows) {
    const s = byStatus.get(status) ?? { status, count: 0, value: 0 };
    byStatus.set(status, { status, count: s.count + count, value: s.value + value });
    const m = byMethod.get(payment_method) ?? { payment_method, count: 0, value: 0 };
    byMethod.set(payment_method, { payment_method, count: m.count + count, value: m.value + value });
  }
  return { byStatus: [...byStatus.values()], byMethod: [...byMethod.values()] };
}

export async function hasAnyBatch(tx: Tx): Promise<boolean> {
  return onlyRow(
    await sql<{ any: boolean }>`
    SELECT EXISTS (SELECT FROM batches WHERE company_id = ${tx.companyId} AND type IN ${typeIn(batchTypes)}) AS any
  `.execute(tx),
  ).any;
}

/** Inserts the draft of a sheet before its rows. The rows and their totals follow in the same transaction. */
export async function insertImportedBatch(
  tx: Tx,
  batch: {
    id: string;
    name: string;
    type: BatchRow["type"];
    createdBy: string | null;
    createdByName: string;
    /** Preparers of the batch: the uploader of its sheet and the author of the column choice. */
    editorIds: readonly string[];
    now: Date;
    sheetId: string;
    fileName: string;
  },
): Promise<void> {
  await sql`
    INSERT INTO batches (company_id, id, name, type, status, created_at, created_by, created_by_name, sheet_id,
      spreadsheet_file_name, was_imported, edited_by)
    VALUES (${tx.companyId}, ${batch.id}, ${batch.name}, ${batch.type}, 'DRAFT', ${batch.now}, ${batch.createdBy},
      ${batch.createdByName}, ${batch.sheetId}, ${batch.fileName}, true,
      ${batch.editorIds}::uuid[])
  `.execute(tx);
}

export async function saveImportedTotals(
  tx: Tx,
  batchId: string,
  totals: { payments: number; errors: number; value: number },
): Promise<void> {
  await sql`
    UPDATE batches SET value = ${totals.value}, payments_count = ${totals.payments}, errors_count = ${totals.errors}
    WHERE company_id = ${tx.companyId} AND id = ${batchId}
  `.execute(tx);
}

/** Returns whether the batch waits for a suspended method, regardless of money. */
export async function isHeldBySuspension(tx: Tx, id: string): Promise<boolean> {
  return onlyRow(
    await sql<{ held: boolean }>`
      SELECT ${sqlMayPay} AND ${sqlIsHeld} AS held FROM batches b ${sqlJoinCompany(sql`b`)}
      WHERE b.company_id = ${tx.companyId} AND b.id = ${id}
    `.execute(tx),
  ).held;
}

/**
 * Lists the companies with a waiting batch that the balance may cover and that no limit, block or suspension holds
 * back.
 */
export async function listCompaniesWithPayableBatches(tx: AnyTx, now: Date): Promise<string[]> {
  const { rows } = await sql<{ company_id: string }>`
    SELECT DISTINCT b.company_id FROM batches b
    ${sqlJoinCompany(sql`b`)} AND ${sqlMayPay}
    ${sqlJoinAvailable(sql`b`)}
    WHERE b.status = 'WAITING' AND a.balance >= b.value AND (b.limited_until IS NULL OR b.limited_until <= ${now})
      AND NOT ${sqlIsHeld}
  `.execute(tx);
  return rows.map((row) => row.company_id);
}
