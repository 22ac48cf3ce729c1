/** Payments as a check and the summary of a batch show them. */
import type { BatchStatus } from "@malote/domain/batch";
import type { CalendarDate } from "@malote/domain/calendar";
import type { PaymentStatus } from "@malote/domain/payment-status";
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { sqlMarkedHolder } from "../lookups/holder-name.ts";

/**
 * SQL name of the payee: for a boleto the beneficiary of its register, beside the company's own description; for a key
 * without a name its holder.
 */
const payeeName = sql`coalesce(t.name, nullif(concat_ws(' · ', l.registered -> 'beneficiary' ->> 'name', t.description), ''),
  ${sqlMarkedHolder})`;
const registerOfBoleto = sql`LEFT JOIN boleto_lookups l ON l.company_id = t.company_id AND l.barcode = t.barcode`;

export interface ShownPayment {
  id: string;
  batch_id: string;
  batch_name: string;
  batch_status: BatchStatus;
  status: PaymentStatus;
  name: string | null;
  value: number | null;
  payment_date: string | null;
  day: CalendarDate;
  person: string;
}

/** Returns payments of any batch by id, as findings show them. */
export async function readShownPayments(tx: Tx, ids: readonly string[]): Promise<Map<string, ShownPayment>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<ShownPayment>`
    SELECT t.id, t.batch_id, b.name AS batch_name, b.status AS batch_status, t.status, ${payeeName} AS name, t.value,
      t.payment_date, b.created_by_name AS person,
      coalesce((t.transfer_date AT TIME ZONE 'America/Sao_Paulo')::date, t.payment_date,
        (t.created_at AT TIME ZONE 'America/Sao_Paulo')::date) AS day
    FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id ${registerOfBoleto}
    WHERE t.company_id = ${tx.companyId} AND t.id = ANY(${[...ids]}::uuid[])
  `.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function listLargestPayments(
  tx: Tx,
  batchId: string,
  max: number,
): Promise<{ id: string; name: string | null; value: number }[]> {
  const { rows } = await sql<{ id: string; name: string | null; value: number }>`
    SELECT t.id, coalesce(${payeeName}, t.pix_key) AS name, t.value FROM transfers t ${registerOfBoleto}
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.value IS NOT NULL
    ORDER BY t.value DESC, t.position, t.id LIMIT ${max}
  `.execute(tx);
  return rows;
}

export async function sumByMethod(
  tx: Tx,
  batchId: string,
): Promise<{ payment_method: string; count: number; value: number }[]> {
  const { rows } = await sql<{ payment_method: string; count: number; value: number }>`
    SELECT payment_method, count(*)::int AS count, coalesce(sum(value), 0)::bigint AS value FROM transfers
    WHERE company_id = ${tx.companyId} AND batch_id = ${batchId} GROUP BY payment_method ORDER BY 3 DESC, 1
  `.execute(tx);
  return rows;
}
