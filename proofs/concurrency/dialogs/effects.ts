import type { Environment } from "../environment.ts";
import type { Subject } from "./money-dialog.ts";

export const audited =
  (...actions: string[]) =>
  async (environment: Environment, { batchId, transferId }: Subject) => {
    const [row] = await environment.ask<{ times: number }>(
      "SELECT count(*)::int AS times FROM audit_entries WHERE subject_id = ANY($1) AND action = ANY($2)",
      [[batchId, transferId], actions],
    );
    return row?.times ?? 0;
  };

/**
 * Returns the number of closings in the audit trail, checked against the money reserved; one query reads both, so that
 * no closing gets in between.
 */
export async function closings(environment: Environment, { batchId }: Subject): Promise<number> {
  const [row] = await environment.ask<{ closings: number; reserved: number; is_paid: boolean }>(
    `SELECT b.status <> 'WAITING' AS is_paid,
       (SELECT count(*)::int FROM audit_entries
        WHERE subject_id = b.id::text AND action IN ('batch_closed', 'batch_approved')) AS closings,
       (SELECT count(*)::int FROM ledger_transactions
        WHERE company_id = b.company_id AND cause LIKE 'close:' || b.id || ':%') AS reserved
     FROM batches b WHERE b.id = $1`,
    [batchId],
  );
  if (!row) throw new Error("the batch is gone");
  const { closings, reserved, is_paid } = row;
  if (reserved !== (is_paid ? closings : 0))
    throw new Error(`closed ${closings} times, and money was reserved ${reserved} times`);
  return closings;
}
