/** Payments of closed batches with their payees, for the statement. */
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";

/** Payment and its payee as the payment itself has them; a boleto has the beneficiary of the register. */
export interface PayeeRow {
  id: string;
  position: number;
  value: number;
  payment_method: "PIX" | "TED" | "TEV" | "BILLET";
  end_to_end_id: string | null;
  /** Purpose of the boleto's payment. */
  description: string | null;
  barcode: string | null;
  name: string | null;
  tax_id: string | null;
  bank_ispb: string | null;
  agency: string | null;
  agency_digit: string | null;
  account: string | null;
  account_digit: string | null;
  account_type: string | null;
  pix_key_type: string | null;
  pix_key: string | null;
}

const payeeRows = sql`
  SELECT t.id, t.position, coalesce(t.value, 0) AS value, t.payment_method, t.end_to_end_id, t.description, t.barcode,
    coalesce(t.name, l.registered -> 'beneficiary' ->> 'name') AS name,
    coalesce(t.tax_id, t.pix_key_validation, CASE WHEN t.pix_key_type IN ('CPF', 'CNPJ') THEN t.pix_key END,
      l.registered -> 'beneficiary' ->> 'taxId') AS tax_id,
    t.bank_ispb, t.agency, t.agency_digit, t.account, t.account_digit, t.account_type, t.pix_key_type, t.pix_key
  FROM transfers t LEFT JOIN boleto_lookups l ON l.company_id = t.company_id AND l.barcode = t.barcode`;

export async function readPayeesByPayment(tx: Tx, ids: readonly string[]): Promise<Map<string, PayeeRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<PayeeRow>`
    ${payeeRows} WHERE t.company_id = ${tx.companyId} AND t.id = ANY(${[...ids]}::uuid[])
  `.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the next payments of a batch after `last`, in the order of the batch. */
export async function listPayees(
  tx: Tx,
  batchId: string,
  last: Pick<PayeeRow, "id" | "position"> | undefined,
  size: number,
): Promise<PayeeRow[]> {
  const after = last ? sql`(t.position, t.id) > (${last.position}::int, ${last.id}::uuid)` : sql`true`;
  const { rows } = await sql<PayeeRow>`
    ${payeeRows} WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND ${after}
    ORDER BY t.position, t.id LIMIT ${size}
  `.execute(tx);
  return rows;
}

/** Returns the values of batches, each of which is the sum of its payments. */
export async function readBatchValues(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; value: number }>`
    SELECT b.id, b.value FROM batches b WHERE b.company_id = ${tx.companyId} AND b.id = ANY(${[...ids]}::uuid[])
  `.execute(tx);
  return new Map(rows.map(({ id, value }) => [id, value]));
}

/** Returns the batch of a payment; undefined when the company has no such payment. */
export async function findBatchOfPayment(tx: Tx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ batch_id: string }>`
    SELECT batch_id FROM transfers WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
  return rows[0]?.batch_id;
}
