/** Queries for payments that have a receipt. */
import { type PaidPayment, statusesWithReceipt } from "@malote/domain/receipt";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";

/** Payments of a file: those of a batch, or a list. */
export type Wanted = { batchId: string } | { transferIds: readonly string[] };

export interface PaidRow extends PaidPayment {
  position: number;
  /** Connection of the payment; null for older rows. */
  connection: string | null;
}

const paidColumns = sql`
  t.id, t.position, t.value, t.payment_method AS "paymentMethod", t.transfer_date AS "paidAt", b.name AS "batchName",
  t.name, t.tax_id AS "taxId", t.bank_ispb AS "bankIspb", t.agency, t.agency_digit AS "agencyDigit", t.account,
  t.account_digit AS "accountDigit", t.account_type AS "accountType", t.pix_key_type AS "pixKeyType",
  t.pix_key AS "pixKey", coalesce(t.description, t.pix_description) AS description, t.barcode, t.due_date AS "dueDate", t.integration_id AS "integrationId",
  t.end_to_end_id AS "endToEndId", t.connection`;

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

/** Returns the next payments: those of a batch in its order, those of a list in order of creation. */
export async function listNextPaid(
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
