import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { sqlMarkedHolder } from "../lookups/holder-name.ts";
import { type BatchRow, batchColumns } from "./store.ts";

/**
 * Schedules one notice per batch, a minute after its first failure: failures come within seconds of each other, and one
 * e-mail names them together.
 */
export async function insertFailureNotices(
  tx: Tx,
  failed: readonly { batchId: string; at: Date }[],
): Promise<void> {
  await sql`
    INSERT INTO failure_notices (company_id, batch_id, due_at)
    SELECT ${tx.companyId}::uuid, f.batch_id, min(f.at) + interval '1 minute'
    FROM unnest(${failed.map(({ batchId }) => batchId)}::uuid[], ${failed.map(({ at }) => at)}::timestamptz[])
      AS f (batch_id, at)
    GROUP BY f.batch_id ORDER BY f.batch_id
    ON CONFLICT (company_id, batch_id) DO NOTHING
  `.execute(tx);
}

/** Deletes the notices that are due and returns their batches; each batch goes to one worker only. */
export async function claimFailureNotices(tx: Tx, now: Date): Promise<BatchRow[]> {
  const { rows } = await sql<BatchRow>`
    WITH taken AS (
      DELETE FROM failure_notices WHERE company_id = ${tx.companyId} AND due_at <= ${now} RETURNING batch_id)
    SELECT ${batchColumns} FROM batches b
    WHERE b.company_id = ${tx.companyId} AND b.id IN (SELECT batch_id FROM taken) ORDER BY b.id
  `.execute(tx);
  return rows;
}

export async function listFailedPayments(
  tx: Tx,
  batchId: string,
  max: number,
): Promise<{ name: string | null; value: number; reason: string | null }[]> {
  const { rows } = await sql<{ name: string | null; value: number; reason: string | null }>`
    SELECT coalesce(t.name, t.description, ${sqlMarkedHolder}) AS name, t.value, t.status_description AS reason
    FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = 'FAILED'
    ORDER BY t.value DESC, t.id LIMIT ${max}
  `.execute(tx);
  return rows;
}
