/** The batches' table. A function that writes expects the row to be locked by `lockBatch` in the same transaction. */

import type { BatchStatus } from "@malote/domain/batch";
import { sheetRowsMax } from "@malote/domain/limits";
import { centsMax } from "@malote/domain/money";
import { sql } from "kysely";
import { AppError } from "../platform/app-error.ts";
import type { Actor } from "../platform/auth/actor.ts";
import { contains } from "../platform/db/contains.ts";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { planOnce } from "../platform/db/plan-once.ts";
import { closesEarly, type DayFacts, expired, forbidden } from "../transfers/index.ts";

export interface BatchRow {
  id: string;
  name: string;
  type: "TRANSFER" | "BILLET";
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
  reprove_reason: string | null;
  closings: number;
  received_date: Date | null;
  finish_date: Date | null;
  returned_date: Date | null;
  reconciled: boolean;
  cancel_requested_at: Date | null;
  is_canceled: boolean;
}

/** What is kept as a batch of a single payment that no screen of batches shows, and nobody corrects (decision 0012). */
export type LoneType = "WITHDRAWAL" | "MICRO_DEPOSIT";

/** As it is locked: a batch that people made, or a payment alone. */
export type LockedBatch = Omit<BatchRow, "type"> & { type: BatchRow["type"] | LoneType };

export const loneTypeOf = ({ type }: LockedBatch): LoneType | undefined =>
  type === "WITHDRAWAL" || type === "MICRO_DEPOSIT" ? type : undefined;

export const isBatch = (locked: LockedBatch): locked is BatchRow => loneTypeOf(locked) === undefined;

const columns = sql`
  b.id, b.name, b.type, b.status, b.value, b.payments_count, b.errors_count, b.paid_count, b.failed_count,
  b.returned_count, b.returned_value, b.reserved_value, b.revision, b.created_at, b.created_by, b.created_by_name,
  b.sheet_id, b.spreadsheet_file_name, b.was_imported, b.edited_by, b.approval_revision, b.approval_digest, b.reprove_reason,
  b.closings, b.received_date, b.finish_date, b.returned_date, b.reconciled, b.cancel_requested_at, b.is_canceled`;

export async function findBatch(tx: Tx, id: string): Promise<BatchRow | undefined> {
  const { rows } = await sql<BatchRow>`
    ${planOnce} SELECT ${columns} FROM batches b
    WHERE b.company_id = ${tx.companyId} AND b.id = ${id} AND b.status <> 'REMOVED' AND b.type IN ('TRANSFER', 'BILLET')
  `.execute(tx);
  return rows[0];
}

/** Everybody who changes a batch or its payments stands in line here first, so one decision sees the other's result. */
export async function lockBatch(tx: Tx, id: string): Promise<LockedBatch | undefined> {
  const { rows } = await sql<LockedBatch>`
    ${planOnce} SELECT ${columns} FROM batches b
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

/** Batches created in the period, newest first, with the sums of the whole filter. */
export async function listBatches(
  tx: Tx,
  filter: BatchFilter,
): Promise<{ rows: BatchRow[]; count: number; value: number }> {
  const searched = filter.search
    ? sql`(${contains(sql`b.search_text`, filter.search)} OR b.value = ${filter.searchCents ?? null}::bigint)`
    : sql`true`;
  const matches = sql`
    b.company_id = ${tx.companyId} AND b.status <> 'REMOVED' AND b.type IN ('TRANSFER', 'BILLET')
    AND b.created_at >= ${filter.from} AND b.created_at < ${filter.until}
    AND (${filter.status ?? null}::text IS NULL OR b.status = ${filter.status ?? null})
    AND ${searched}`;
  // Looked through once for the sums and the page.
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
    SELECT ${columns} FROM batches b WHERE b.company_id = ${tx.companyId} AND b.id = ANY(${found.ids}::uuid[])
    ORDER BY b.created_at DESC, b.id DESC
  `.execute(tx);
  return { rows, count: found.count, value: found.value };
}

export async function listWaiting(tx: Tx): Promise<BatchRow[]> {
  const { rows } = await sql<BatchRow>`
    SELECT ${columns} FROM batches b WHERE b.company_id = ${tx.companyId} AND b.status = 'WAITING'
    ORDER BY b.waiting_since, b.id
  `.execute(tx);
  return rows;
}

export async function waitingValue(tx: Tx): Promise<number> {
  return onlyRow(
    await sql<{ value: number }>`
    ${planOnce} SELECT least(coalesce(sum(value), 0), ${centsMax})::bigint AS value FROM batches
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
 * The content changed: counts follow, and whoever saw the batch before has seen another one. A batch never grows past
 * what a sheet may bring, which also keeps its value within what a number holds.
 */
export async function growBatch(
  tx: Tx,
  id: string,
  by: { value: number; payments: number; errors: number },
  editorId: string,
  name?: string,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    UPDATE batches SET value = value + ${by.value}::bigint, payments_count = payments_count + ${by.payments}::int,
      errors_count = errors_count + ${by.errors}::int, revision = revision + 1, name = coalesce(${name ?? null}, name),
      was_imported = false,
      edited_by = CASE WHEN ${editorId}::uuid = ANY(edited_by) THEN edited_by ELSE edited_by || ${editorId}::uuid END
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status = 'DRAFT'
      AND payments_count + ${by.payments}::int <= ${sheetRowsMax}
    RETURNING id
  `.execute(tx);
  if (rows.length === 0)
    throw new AppError("batch_over_limit", { max: sheetRowsMax.toLocaleString("pt-BR") });
}

export async function renameBatch(tx: Tx, id: string, name: string): Promise<void> {
  await sql`
    UPDATE batches SET name = ${name}, revision = revision + 1 WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
}

/**
 * Draft rows with nothing against them when they were written, which time or a new rule has made wrong since. One that is
 * both late and forbidden is forbidden: a new day would not make it payable, and a batch that waits is paid late.
 */
export async function countNewlyWrong(
  tx: Tx,
  batchId: string,
  facts: DayFacts,
): Promise<{ expired: number; forbidden: number }> {
  return onlyRow(
    await sql<{ expired: number; forbidden: number }>`
    ${planOnce} SELECT count(*) FILTER (WHERE ${forbidden(facts)})::int AS forbidden,
           count(*) FILTER (WHERE ${expired(facts)} AND ${forbidden(facts)} IS NOT TRUE)::int AS expired
    FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = 'CREATED' AND t.errors IS NULL
  `.execute(tx),
  );
}

/**
 * A fingerprint of everything that will be paid, in one pass and independent of the order of rows. With the revision it
 * binds an approval to what the approver was shown (decision 21).
 */
export async function digestOf(tx: Tx, batchId: string): Promise<string> {
  return onlyRow(
    await sql<{ digest: string }>`
    SELECT concat_ws('-', count(*), sum(value), to_hex(bit_xor(hash_record_extended(ROW(id, value, payment_method,
      payment_date, integration_id, name, tax_id, email, bank_ispb, agency, agency_digit, account, account_digit,
      account_type, pix_key_type, pix_key, pix_key_validation, pix_description),
      CASE WHEN barcode IS NULL THEN 42
        ELSE hashtextextended(concat_ws('|', barcode, due_date, description), 42) END)))) AS digest
    FROM transfers WHERE company_id = ${tx.companyId} AND batch_id = ${batchId}
  `.execute(tx),
  ).digest;
}

export async function markSentToApproval(
  tx: Tx,
  id: string,
  revision: number,
  digest: string,
): Promise<void> {
  await sql`
    UPDATE batches SET status = 'WAITING_APPROVAL', approval_revision = ${revision}, approval_digest = ${digest},
      reprove_reason = NULL
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status = 'DRAFT'
  `.execute(tx);
}

export async function markDraftAgain(tx: Tx, id: string, reason: string | null): Promise<void> {
  await sql`
    UPDATE batches SET status = 'DRAFT', approval_revision = NULL, approval_digest = NULL, reprove_reason = ${reason},
      waiting_since = NULL, closed_at = NULL
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status IN ('WAITING_APPROVAL', 'WAITING')
  `.execute(tx);
}

export async function markRemoved(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`
    UPDATE batches SET status = 'REMOVED', removed_at = ${now}, waiting_since = NULL
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status IN ('DRAFT', 'WAITING')
  `.execute(tx);
}

/**
 * The batch leaves the hands of people: with its money set aside, or in the line for it. The number tells this closing
 * from an earlier one of the same batch and must be the one the ledger was told.
 */
export async function markClosed(
  tx: Tx,
  id: string,
  { closing, isPaid, now }: { closing: number; isPaid: boolean; now: Date },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    ${planOnce} UPDATE batches SET status = CASE WHEN ${isPaid}::boolean THEN 'PENDING' ELSE 'WAITING' END,
      closings = ${closing}, closed_at = ${now}::timestamptz, reprove_reason = NULL,
      waiting_since = CASE WHEN ${isPaid}::boolean THEN waiting_since ELSE ${now}::timestamptz END,
      reserved_value = CASE WHEN ${isPaid}::boolean THEN value ELSE reserved_value END
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status IN ('DRAFT', 'WAITING_APPROVAL')
      AND closings = ${closing}::int - 1
    RETURNING id
  `.execute(tx);
  if (rows.length !== 1) throw new Error(`batch ${id} was locked as closable and is not`);
}

export async function markReserved(tx: Tx, id: string): Promise<void> {
  await sql`
    ${planOnce} UPDATE batches SET reserved_value = value WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
}

export async function markReceived(tx: Tx, id: string, now: Date): Promise<void> {
  await sql`
    UPDATE batches SET status = 'RECEIVED', received_date = ${now}, waiting_since = NULL
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status IN ('PENDING', 'WAITING')
  `.execute(tx);
}

/** Payments of a batch that may be sent at the same moment, because the network takes their kind at certain hours only. */
export interface Window {
  method: "TED" | "BILLET";
  /** The day asked for; null is as soon as possible. */
  day: string | null;
  /** Of billets, those that close early. */
  isEarly: boolean;
}

const isEarly = sql`(t.payment_method = 'BILLET' AND ${closesEarly})`;

export async function windowsOf(tx: Tx, batchId: string): Promise<Window[]> {
  const { rows } = await sql<Window>`
    SELECT DISTINCT t.payment_method AS method, t.payment_date AS day, ${isEarly} AS "isEarly" FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.payment_method IN ('TED', 'BILLET')
  `.execute(tx);
  return rows;
}

/** Sends every payment of a closed batch on its way in one statement: now, or on its day. */
export async function releaseTransfers(
  tx: Tx,
  batchId: string,
  now: Date,
  windows: readonly (Window & { at: Date })[],
): Promise<void> {
  const moments = JSON.stringify(windows.map((window) => ({ ...window, at: window.at.toISOString() })));
  await sql`
    WITH moments AS MATERIALIZED (
      SELECT method, day, "isEarly", at FROM jsonb_to_recordset(${moments}::jsonb)
        AS m (method text, day date, "isEarly" boolean, at timestamptz))
    UPDATE transfers t
    SET (status, execute_at) = (
      SELECT CASE WHEN due.at > ${now}::timestamptz THEN 'SCHEDULED' ELSE 'RECEIVED' END, due.at
      FROM (SELECT CASE WHEN t.payment_method IN ('TED', 'BILLET')
        THEN (SELECT m.at FROM moments m WHERE m.method = t.payment_method AND m."isEarly" = ${isEarly}
          AND m.day IS NOT DISTINCT FROM t.payment_date)
        ELSE greatest(${now}::timestamptz, t.payment_date::timestamp AT TIME ZONE 'America/Sao_Paulo') END AS at) due
    )
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = 'CREATED'
  `.execute(tx);
}

/**
 * What the network's answers, a correction or a refund did to a batch. Closes the book on it when nothing is left. Answers
 * whether each of its payments has an outcome now, failed ones counted.
 */
export async function settleBatch(
  tx: Tx,
  id: string,
  by: { paid?: number; failed?: number; returned?: number; returnedValue?: number; reserved?: number },
  now: Date,
): Promise<boolean> {
  const left = sql`(payments_count - paid_count - ${by.paid ?? 0}::int - returned_count - ${by.returned ?? 0}::int)`;
  const nonePaid = sql`(paid_count + ${by.paid ?? 0}::int = 0)`;
  const { rows } = await sql<{ is_told: boolean }>`
    UPDATE batches SET paid_count = paid_count + ${by.paid ?? 0}::int, failed_count = failed_count + ${by.failed ?? 0}::int,
      returned_count = returned_count + ${by.returned ?? 0}::int,
      returned_value = returned_value + ${by.returnedValue ?? 0}::bigint,
      reserved_value = reserved_value + ${by.reserved ?? 0}::bigint,
      status = CASE WHEN status <> 'RECEIVED' OR ${left} > 0 THEN status WHEN ${nonePaid} THEN 'RETURNED' ELSE 'FINISHED' END,
      finish_date = CASE WHEN status = 'RECEIVED' AND ${left} = 0 AND NOT ${nonePaid} THEN ${now}::timestamptz ELSE finish_date END,
      returned_date = CASE WHEN status = 'RECEIVED' AND ${left} = 0 AND ${nonePaid} THEN ${now}::timestamptz ELSE returned_date END
    WHERE company_id = ${tx.companyId} AND id = ${id}
    RETURNING paid_count + failed_count + returned_count = payments_count AS is_told
  `.execute(tx);
  return rows[0]?.is_told === true;
}

/** Its payments are RETURNED by the same transaction, and its money is back. */
export async function markCancelled(tx: Tx, id: string, now: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    UPDATE batches SET status = 'RETURNED', returned_date = ${now}, cancel_requested_at = ${now}, is_canceled = true,
      returned_count = payments_count, returned_value = value, reserved_value = 0
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status = 'RECEIVED' AND reserved_value = value RETURNING id
  `.execute(tx);
  if (rows.length !== 1) throw new Error(`batch ${id} does not hold what its payments need`);
}

export async function setReconciled(tx: Tx, id: string, reconciled: boolean): Promise<void> {
  await sql`
    UPDATE batches SET reconciled = ${reconciled} WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
}

export async function totalsOf(
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

export async function anyBatch(tx: Tx): Promise<boolean> {
  return onlyRow(
    await sql<{ any: boolean }>`
    SELECT EXISTS (SELECT FROM batches WHERE company_id = ${tx.companyId} AND type IN ('TRANSFER', 'BILLET')) AS any
  `.execute(tx),
  ).any;
}

/**
 * The people behind some ids: a credential does the will of whoever made it, so the two count as one where another person is
 * asked for. One that came with the installation stands for itself.
 */
export async function peopleBehind(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT coalesce(a.created_by, given.id) AS id
    FROM unnest(${ids}::uuid[]) AS given(id)
    LEFT JOIN api_credentials a ON a.company_id = ${tx.companyId} AND a.id = given.id
  `.execute(tx);
  return rows.map(({ id }) => id);
}

export async function personBehind(tx: Tx, { kind, id }: Pick<Actor, "kind" | "id">): Promise<string> {
  return kind === "user" ? id : onlyRow({ rows: await peopleBehind(tx, [id]) });
}

/** The draft a sheet becomes, before its rows. They and their totals follow in the same transaction. */
export async function insertImportedBatch(
  tx: Tx,
  batch: {
    id: string;
    name: string;
    type: BatchRow["type"];
    createdBy: string | null;
    createdByName: string;
    editorId: string;
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
      ARRAY[${batch.editorId}::uuid])
  `.execute(tx);
}

/** The rows that stand in `import_rows` become payments of the draft, and the table is empty for the next ones. */
export async function addImportedRows(tx: Tx, batchId: string, now: Date): Promise<void> {
  await sql`
    INSERT INTO transfers (company_id, batch_id, status, created_at, position, id, value, payment_method, payment_date,
      integration_id, name, tax_id, email, bank_ispb, agency, agency_digit, account, account_digit, account_type,
      pix_key_type, pix_key, pix_key_validation, pix_description, errors, warnings, sheet_row, sheet_cells)
    SELECT ${tx.companyId}::uuid, ${batchId}::uuid, 'CREATED', ${now}::timestamptz, r.* FROM import_rows r
  `.execute(tx);
  await sql`TRUNCATE import_rows`.execute(tx);
}

export async function noteImportedTotals(
  tx: Tx,
  batchId: string,
  totals: { payments: number; errors: number; value: number },
): Promise<void> {
  await sql`
    UPDATE batches SET value = ${totals.value}, payments_count = ${totals.payments}, errors_count = ${totals.errors}
    WHERE company_id = ${tx.companyId} AND id = ${batchId}
  `.execute(tx);
}
