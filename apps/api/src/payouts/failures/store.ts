/** Failed payments of a batch, whatever their kind. */
import { failuresShownMax } from "@malote/domain/limits";
import type { TransferStatus } from "@malote/domain/transfer";
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { type TransferRow, transferColumns } from "../transfers/store.ts";

export type FailedRow = TransferRow & { barcode: string | null; description: string | null; version: string };

/** PostgreSQL's own version of the row, which every write changes; of a restored backup it is another one. */
const version = sql`t.xmin::text AS version`;

export async function listFailed(tx: Tx, batchId: string): Promise<FailedRow[]> {
  const { rows } = await sql<FailedRow>`
    SELECT ${transferColumns}, t.barcode, t.description, ${version} FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = 'FAILED'
    ORDER BY t.position, t.id LIMIT ${failuresShownMax}
  `.execute(tx);
  return rows;
}

export async function totalOfFailed(tx: Tx, batchId: string): Promise<{ count: number; value: number }> {
  return onlyRow(
    await sql<{ count: number; value: number }>`
      SELECT count(*)::int AS count, coalesce(sum(value), 0)::bigint AS value FROM transfers
      WHERE company_id = ${tx.companyId} AND batch_id = ${batchId} AND status = 'FAILED'
    `.execute(tx),
  );
}

export interface ChosenRow {
  id: string;
  status: TransferStatus;
  value: number;
  name: string | null;
  status_description: string | null;
  version: string;
}

/** Those of them that are payments of the batch, in its order. The caller holds the batch's row. */
export async function findChosen(tx: Tx, batchId: string, ids: readonly string[]): Promise<ChosenRow[]> {
  const { rows } = await sql<ChosenRow>`
    SELECT t.id, t.status, t.value, coalesce(t.name, t.description) AS name, t.status_description, ${version}
    FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.id = ANY(${[...ids]}::uuid[])
    ORDER BY t.position, t.id
  `.execute(tx);
  return rows;
}

const noticesShown = 3;

/** Batches with failures to resolve that this person made, sent on their way or approved, the newest first. */
export async function listNotices(
  tx: Tx,
  userId: string,
): Promise<{ data: { id: string; name: string; failed_count: number }[]; count: number }> {
  const { rows } = await sql<{ id: string; name: string; failed_count: number; count: number }>`
    SELECT b.id, b.name, b.failed_count, count(*) OVER ()::int AS count FROM batches b
    WHERE b.company_id = ${tx.companyId} AND b.failed_count > 0 AND b.status = 'RECEIVED'
      AND b.type IN ('TRANSFER', 'BILLET')
      AND (b.created_by = ${userId} OR b.closed_by = ${userId} OR EXISTS (
        SELECT FROM approvals a WHERE a.company_id = b.company_id AND a.batch_id = b.id AND a.user_id = ${userId}
          AND a.voided_at IS NULL))
    ORDER BY b.created_at DESC, b.id DESC LIMIT ${noticesShown}
  `.execute(tx);
  return { data: rows.map(({ count: _, ...row }) => row), count: rows[0]?.count ?? 0 };
}
