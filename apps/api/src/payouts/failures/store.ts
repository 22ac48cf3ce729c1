/** Failed payments of a batch, of either kind. */

import { batchTypes } from "@malote/domain/batch-status";
import { failuresShownMax } from "@malote/domain/limits";
import { sql } from "kysely";
import { sqlApprovalsBy } from "../../controls/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { typeIn } from "../../platform/db/status-in.ts";
import { type FailedRow, rowVersion } from "../corrections/store.ts";
import { transferColumns } from "../transfers/store.ts";

export async function listFailed(tx: Tx, batchId: string): Promise<FailedRow[]> {
  const { rows } = await sql<FailedRow>`
    SELECT ${transferColumns}, t.barcode, t.description, ${rowVersion} FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = 'FAILED'
    ORDER BY t.position, t.id LIMIT ${failuresShownMax}
  `.execute(tx);
  return rows;
}

export async function sumFailed(tx: Tx, batchId: string): Promise<{ count: number; value: number }> {
  return onlyRow(
    await sql<{ count: number; value: number }>`
      SELECT count(*)::int AS count, coalesce(sum(value), 0)::bigint AS value FROM transfers
      WHERE company_id = ${tx.companyId} AND batch_id = ${batchId} AND status = 'FAILED'
    `.execute(tx),
  );
}

const noticesShown = 3;

/** Returns batches with unresolved failures that this person created, closed or approved, newest first. */
export async function listNotices(
  tx: Tx,
  userId: string,
): Promise<{ data: { id: string; name: string; failed_count: number }[]; count: number }> {
  const { rows } = await sql<{ id: string; name: string; failed_count: number; count: number }>`
    SELECT b.id, b.name, b.failed_count, count(*) OVER ()::int AS count FROM batches b
    WHERE b.company_id = ${tx.companyId} AND b.failed_count > 0 AND b.status = 'RECEIVED'
      AND b.type IN ${typeIn(batchTypes)}
      AND (b.created_by = ${userId} OR b.closed_by = ${userId} OR EXISTS (${sqlApprovalsBy(userId)}))
    ORDER BY b.created_at DESC, b.id DESC LIMIT ${noticesShown}
  `.execute(tx);
  return { data: rows.map(({ count: _, ...row }) => row), count: rows[0]?.count ?? 0 };
}
