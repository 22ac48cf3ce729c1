/** The product twice on one database, and the data that proofs prepare directly, without the product's calls. */

import { sql } from "kysely";
import { countBeforeAndAfter, countMoved, type MovedCount } from "../../apps/api/src/indicators/index.ts";
import { post } from "../../apps/api/src/ledger/index.ts";
import type { Tx } from "../../apps/api/src/platform/db/database.ts";
import { onlyRow } from "../../apps/api/src/platform/db/only-row.ts";
import { uuidv7 } from "../../apps/api/src/platform/uuid.ts";
import { barcodeOf } from "../../apps/api/src/testing/boletos.ts";
import { auroraId, openPayments, type PaymentsKit } from "../../apps/api/src/testing/payments-kit.ts";

export { auroraId };

export interface TwoProcesses {
  both: readonly [PaymentsKit, PaymentsKit];
  inCompany<T>(work: (tx: Tx) => Promise<T>, companyId?: string): Promise<T>;
  /** Queries as the database's superuser, independently of the product's own code. */
  ask<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  books(): Promise<string[]>;
  /** Does not check the books: the proof checked them before it planted faults. */
  close(): Promise<void>;
}

export async function openTwo(): Promise<TwoProcesses> {
  const first = await openPayments();
  const second = await first.another();
  const { db } = first.services;
  return {
    both: [first, second],
    inCompany: (work, companyId = auroraId) => db.withCompany(companyId, work),
    ask: async (text, values = []) => (await db.pool.query(text, values)).rows,
    books: async () => (await first.faults()).map(({ rule, where }) => `books: ${rule} (${where})`),
    async close() {
      await second.close().catch(() => undefined);
      await first.close().catch(() => undefined);
    },
  };
}

type Kind = "PIX" | "BILLET";

/**
 * Creates drafts of one Pix each, or of one boleto. Each Pix has a receiver without earlier payments: the checks
 * compare a payment with all that its receiver got before, would stop an unusual value, and would take longer with each
 * round.
 */
export async function makeDrafts(
  tx: Tx,
  now: Date,
  values: readonly number[],
  kind: Kind = "PIX",
): Promise<string[]> {
  const ids = values.map(() => uuidv7());
  const barcodes = values.map((value) => (kind === "BILLET" ? barcodeOf(value) : null));
  await sql`
    INSERT INTO batches (company_id, id, name, type, status, value, payments_count, created_at, created_by_name)
    SELECT ${tx.companyId}::uuid, d.id, 'Lote', ${kind === "BILLET" ? "BILLET" : "TRANSFER"}, 'DRAFT', d.value, 1, ${now}::timestamptz, 'Rui Tavares'
    FROM unnest(${ids}::uuid[], ${values}::bigint[]) AS d (id, value)
  `.execute(tx);
  await sql`
    INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, integration_id, barcode, description,
      name, pix_key_type, pix_key, created_at)
    SELECT ${tx.companyId}::uuid, d.transfer_id, d.id, 1, 'CREATED', d.value, ${kind}, d.transfer_id::text, d.barcode,
      CASE WHEN d.barcode IS NOT NULL THEN 'Aluguel' END, CASE WHEN d.barcode IS NULL THEN 'Maria Souza' END,
      CASE WHEN d.barcode IS NULL THEN 'EMAIL' END, CASE WHEN d.barcode IS NULL THEN d.transfer_id || '@exemplo.com.br' END,
      ${now}::timestamptz
    FROM unnest(${ids}::uuid[], ${ids.map(() => uuidv7())}::uuid[], ${values}::bigint[], ${barcodes}::text[])
      AS d (id, transfer_id, value, barcode)
  `.execute(tx);
  return ids;
}

export interface PaidPayment {
  batchId: string;
  transferId: string;
}

/** Creates paid batches of one payment each, with their money from the balance. */
async function makePaid(tx: Tx, now: Date, values: readonly number[], kind: Kind): Promise<string[]> {
  const ids = await makeDrafts(tx, now, values, kind);
  const reserved = await post(
    tx,
    now,
    ids.map((id, index) => ({
      type: "BATCH" as const,
      cause: `close:${id}:1`,
      from: "available" as const,
      to: "reserved" as const,
      amount: values[index] ?? 0,
      description: "Lote",
      complement: { batch_id: id },
    })),
  );
  if (!reserved) throw new Error("no money to prepare paid batches with");
  await sql`
    UPDATE batches SET status = 'PENDING', closings = 1, reserved_value = value, closed_at = ${now}::timestamptz
    WHERE company_id = ${tx.companyId} AND id = ANY(${ids}::uuid[])
  `.execute(tx);
  await sql`
    UPDATE batches SET status = 'RECEIVED', received_date = ${now}::timestamptz
    WHERE company_id = ${tx.companyId} AND id = ANY(${ids}::uuid[])
  `.execute(tx);
  return ids;
}

/** Creates paid batches whose only payment waits for a day far ahead. */
export async function makeScheduled(tx: Tx, now: Date, values: readonly number[]): Promise<string[]> {
  const ids = await makePaid(tx, now, values, "PIX");
  await sql`
    UPDATE transfers SET status = 'SCHEDULED', execute_at = ${now}::timestamptz + interval '300 days'
    WHERE company_id = ${tx.companyId} AND batch_id = ANY(${ids}::uuid[])
  `.execute(tx);
  return ids;
}

/** Creates paid batches whose only payment failed, so that its money may be returned. */
export async function makeFailed(
  tx: Tx,
  now: Date,
  values: readonly number[],
  kind: Kind = "PIX",
): Promise<PaidPayment[]> {
  const ids = await makePaid(tx, now, values, kind);
  await sql`
    UPDATE batches SET failed_count = 1 WHERE company_id = ${tx.companyId} AND id = ANY(${ids}::uuid[])
  `.execute(tx);
  for (const status of ["RECEIVED", "EXECUTING"])
    await sql`
      UPDATE transfers SET status = ${status} WHERE company_id = ${tx.companyId} AND batch_id = ANY(${ids}::uuid[])
    `.execute(tx);
  const { rows } = await sql<{ id: string; batch_id: string } & MovedCount>`
    UPDATE transfers SET status = 'FAILED', status_description = 'Chave não encontrada.', attempt = 1, failed_date = ${now},
      end_to_end_id = 'E99999593' || replace(substr(id::text, 1, 23), '-', '')
    WHERE company_id = ${tx.companyId} AND batch_id = ANY(${ids}::uuid[])
    RETURNING id, batch_id, ${countBeforeAndAfter}
  `.execute(tx);
  await countMoved(tx, rows);
  return rows.map((row) => ({ batchId: row.batch_id, transferId: row.id }));
}

/** Creates paid batches whose only boleto is due in three days, so that it may be cancelled. */
export async function makeScheduledBoletos(
  tx: Tx,
  now: Date,
  values: readonly number[],
): Promise<PaidPayment[]> {
  const ids = await makePaid(tx, now, values, "BILLET");
  const { rows } = await sql<{ id: string; batch_id: string }>`
    UPDATE transfers SET status = 'SCHEDULED', execute_at = ${now}::timestamptz + interval '3 days', attempt = 1,
      end_to_end_id = 'E99999593' || replace(substr(id::text, 1, 23), '-', '')
    WHERE company_id = ${tx.companyId} AND batch_id = ANY(${ids}::uuid[])
    RETURNING id, batch_id
  `.execute(tx);
  return rows.map((row) => ({ batchId: row.batch_id, transferId: row.id }));
}

export async function balanceIn(tx: Tx): Promise<number> {
  return onlyRow(
    await sql<{ balance: number }>`
      SELECT balance FROM ledger_accounts WHERE company_id = ${tx.companyId} AND account = 'available'
    `.execute(tx),
  ).balance;
}
