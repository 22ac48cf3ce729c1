/** Deletion of a batch, for a draft optionally with its own receivers (BAT-071). */
import { deleteBatch, readReceiversToRemove } from "@malote/contracts/batch-life";
import { decideDelete } from "@malote/domain/batch";
import { deleteOutflow } from "../../controls/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call, Serve } from "../../platform/http/serve.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Services } from "../../platform/services.ts";
import { markRemoved } from "./life-store.ts";
import { getLockedBatch } from "./locked-batch.ts";
import { getBatch } from "./read.ts";

/** Receivers that a draft imported and no batch has paid yet; the receivers' feature implements this. */
export type ImportedReceivers = {
  exist(tx: Tx, batchId: string, since: Date): Promise<boolean>;
  /** Returns how many receivers it removed. */
  remove(tx: Tx, batchId: string, since: Date): Promise<number>;
};

async function remove(tx: Tx, call: Call<typeof deleteBatch>, imported: ImportedReceivers, jobs: Jobs) {
  const batch = await getLockedBatch(tx, call.params.id);
  const decision = decideDelete({ status: batch.status, profile: call.actor.profile });
  if (decision.kind === "refused") throw new AppError(decision.code);
  const { revision } = call.query;
  if (revision !== undefined && revision !== batch.revision) throw new AppError("batch_changed");
  const takesReceivers = decision.mayRemoveReceivers && call.query.removeDestinationBankAccounts === "true";
  const receivers = takesReceivers ? await imported.remove(tx, batch.id, batch.created_at) : 0;
  await markRemoved(tx, batch.id, decision.to, call.now);
  await audit(tx, call, "batch_removed", batch.id, { name: batch.name, value: batch.value, receivers });
  // The batch leaves the funding queue; the next one may need less money.
  if (batch.status === "WAITING") {
    await deleteOutflow(tx, batch.id);
    await jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
  }
  return { ok: true as const };
}

export function removalRoutes({ serve }: Serve, { jobs }: Services, imported: ImportedReceivers): void {
  serve(deleteBatch, (tx, call) => remove(tx, call, imported, jobs));
  // Only receivers of a draft can be removed: a closed batch has paid them.
  serve(readReceiversToRemove, async (tx, { params }) => {
    const batch = await getBatch(tx, params.id);
    return { data: batch.status === "DRAFT" && (await imported.exist(tx, batch.id, batch.created_at)) };
  });
}
