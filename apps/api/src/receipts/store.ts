/** Payments that have a receipt, and the files of receipts somebody asked for. */
import type { receiptsStates } from "@malote/contracts/receipts";
import { receiptsKept } from "@malote/domain/limits";
import { type PaidTransfer, statusesWithReceipt } from "@malote/domain/receipt";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import type { AskedFiles } from "../platform/files/asked-files.ts";

export const receiptFiles: AskedFiles = {
  table: "receipt_requests",
  making: "making",
  ready: "ready",
  job: "make-receipts",
  folder: "receipts",
  makingHours: receiptsKept.makingHours,
  trail: { givenUp: "receipts_given_up", removed: "receipts_removed" },
};

export type ReceiptsState = (typeof receiptsStates)[number];

/** Which payments a file is of. */
export type Wanted = { batchId: string } | { transferIds: readonly string[] };

interface PaidRow extends PaidTransfer {
  position: number;
}

const paidColumns = sql`
  t.id, t.position, t.value, t.payment_method AS "paymentMethod", t.transfer_date AS "paidAt", b.name AS "batchName",
  t.name, t.tax_id AS "taxId", t.bank_ispb AS "bankIspb", t.agency, t.agency_digit AS "agencyDigit", t.account,
  t.account_digit AS "accountDigit", t.account_type AS "accountType", t.pix_key_type AS "pixKeyType",
  t.pix_key AS "pixKey", coalesce(t.description, t.pix_description) AS description, t.barcode, t.due_date AS "dueDate", t.integration_id AS "integrationId",
  t.end_to_end_id AS "endToEndId"`;

const paidFrom = (tx: Tx) => sql`
  FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
  WHERE t.company_id = ${tx.companyId} AND t.status = ANY(${[...statusesWithReceipt]}::text[])`;

const isWanted = (wanted: Wanted): RawBuilder<unknown> =>
  "batchId" in wanted
    ? sql`t.batch_id = ${wanted.batchId}`
    : sql`t.id = ANY(${[...wanted.transferIds]}::uuid[])`;

export async function findPaid(tx: Tx, transferId: string): Promise<PaidRow | undefined> {
  const { rows } = await sql<PaidRow>`
    SELECT ${paidColumns} ${paidFrom(tx)} AND t.id = ${transferId}
  `.execute(tx);
  return rows[0];
}

export async function countPaid(tx: Tx, wanted: Wanted): Promise<number> {
  const found = await sql<{ count: number }>`
    SELECT count(*)::int AS count ${paidFrom(tx)} AND ${isWanted(wanted)}
  `.execute(tx);
  return onlyRow(found).count;
}

/** The next so many, in the order of their batch; of a list, in the order of their making. */
export async function nextPaid(
  tx: Tx,
  wanted: Wanted,
  last: PaidRow | undefined,
  size: number,
): Promise<PaidRow[]> {
  const behind = !last
    ? sql`true`
    : "batchId" in wanted
      ? sql`(t.position, t.id) > (${last.position}::int, ${last.id}::uuid)`
      : sql`t.id > ${last.id}::uuid`;
  const order = "batchId" in wanted ? sql`t.position, t.id` : sql`t.id`;
  const { rows } = await sql<PaidRow>`
    SELECT ${paidColumns} ${paidFrom(tx)} AND ${isWanted(wanted)} AND ${behind} ORDER BY ${order} LIMIT ${size}
  `.execute(tx);
  return rows;
}

export async function transferExists(tx: Tx, id: string): Promise<boolean> {
  const found = await sql<{ found: boolean }>`
    SELECT EXISTS (SELECT FROM transfers WHERE company_id = ${tx.companyId} AND id = ${id}) AS found
  `.execute(tx);
  return onlyRow(found).found;
}

export async function batchExists(tx: Tx, id: string): Promise<boolean> {
  const found = await sql<{ found: boolean }>`
    SELECT EXISTS (
      SELECT FROM batches
      WHERE company_id = ${tx.companyId} AND id = ${id} AND status <> 'REMOVED' AND type IN ('TRANSFER', 'BILLET')) AS found
  `.execute(tx);
  return onlyRow(found).found;
}

export interface ReceiptRequest {
  id: string;
  batch_id: string | null;
  batch_name: string | null;
  transfer_ids: string[] | null;
  state: ReceiptsState;
  receipts_count: number;
  file_key: string | null;
  file_bytes: number | null;
  created_at: Date;
  expires_at: Date;
  asked_by_name: string;
  /** Nobody to write to once the person is gone. */
  asked_by_email: string | null;
}

export async function findRequest(tx: Tx, id: string): Promise<ReceiptRequest | undefined> {
  const { rows } = await sql<ReceiptRequest>`
    SELECT r.id, r.batch_id, b.name AS batch_name, r.transfer_ids, r.state, r.receipts_count, r.file_key, r.file_bytes,
      r.created_at, r.expires_at, u.name AS asked_by_name,
      CASE WHEN u.removed_at IS NULL THEN u.email END AS asked_by_email
    FROM receipt_requests r
    JOIN users u ON u.company_id = r.company_id AND u.id = r.requested_by
    LEFT JOIN batches b ON b.company_id = r.company_id AND b.id = r.batch_id
    WHERE r.company_id = ${tx.companyId} AND r.id = ${id}
  `.execute(tx);
  return rows[0];
}

export async function insertRequest(
  tx: Tx,
  request: { id: string; wanted: Wanted; count: number; userId: string; now: Date; expiresAt: Date },
): Promise<void> {
  const { wanted } = request;
  await sql`
    INSERT INTO receipt_requests
      (company_id, id, batch_id, transfer_ids, state, receipts_count, requested_by, created_at, expires_at)
    VALUES (${tx.companyId}, ${request.id}, ${"batchId" in wanted ? wanted.batchId : null},
            ${"batchId" in wanted ? null : [...wanted.transferIds]}::uuid[], 'making', ${request.count},
            ${request.userId}, ${request.now}, ${request.expiresAt})
  `.execute(tx);
}

/** False when somebody ended the request before: another worker, or the housekeeping. */
export async function endRequest(
  tx: Tx,
  id: string,
  ending: { state: "ready"; count: number; fileKey: string; bytes: number } | { state: "failed" },
): Promise<boolean> {
  const made = ending.state === "ready" ? ending : undefined;
  const { rows } = await sql<{ id: string }>`
    UPDATE receipt_requests SET state = ${ending.state}, file_key = ${made?.fileKey ?? null},
      file_bytes = ${made?.bytes ?? null}, receipts_count = coalesce(${made?.count ?? null}::int, receipts_count),
      transfer_ids = NULL
    WHERE company_id = ${tx.companyId} AND id = ${id} AND state = 'making' RETURNING id
  `.execute(tx);
  return rows.length === 1;
}
