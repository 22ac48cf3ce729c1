/** Actions after closing: cancelling a scheduled batch, which returns its money, and marking a batch as reconciled. */
import type { cancelScheduledBatch, setBatchReconciled } from "@malote/contracts/batch-life";
import { decideCancelScheduled, decideReconcile } from "@malote/domain/batch";
import { countMoved } from "../../indicators/index.ts";
import { post } from "../../ledger/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import { emissionOf, emit, eventActorOf } from "../../platform/events/emit.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { markUnscheduled } from "../transfers/store.ts";
import * as lifeStore from "./life-store.ts";
import { releaseBatchLimits } from "./limits.ts";
import { getLockedBatch } from "./locked-batch.ts";
import { batchOf } from "./present.ts";

/** Cancels all payments of a scheduled batch or none (BAT-075): throws when a worker has already taken one. */
export async function cancelScheduled(tx: Tx, call: Call<typeof cancelScheduledBatch>, jobs: Jobs) {
  const { params, actor, now } = call;
  const batch = await getLockedBatch(tx, params.id);
  // The batch alone decides here, so a refusal leaves the payments untouched.
  const facts = { status: batch.status, profile: actor.profile, isOfTransfers: batch.type === "TRANSFER" };
  const mayBegin = decideCancelScheduled({ ...facts, isAllScheduled: true });
  if (mayBegin.kind === "refused") throw new AppError(mayBegin.code);
  const moved = await markUnscheduled(tx, batch.id, "Lote cancelado", now);
  const decision = decideCancelScheduled({
    ...facts,
    isAllScheduled: moved.length === batch.payments_count,
  });
  if (decision.kind === "refused") throw new AppError(decision.code);

  await releaseBatchLimits(tx, { batchId: batch.id });
  // One ledger entry, like that of the closing: the statement shows the batch, not its payments.
  const posted = await post(tx, now, [
    {
      type: "REFUND",
      cause: `cancel:${batch.id}`,
      from: "reserved",
      to: "available",
      amount: batch.value,
      description: `Lote cancelado: ${batch.name}`,
      complement: { batch_id: batch.id },
    },
  ]);
  if (!posted) throw new Error(`the reservation of batch ${batch.id} does not cover the returned money`);
  const cancelled = await lifeStore.markCancelled(tx, batch.id, decision.to, now);
  await countMoved(tx, moved);
  await audit(tx, call, "batch_cancelled", batch.id, { payments: moved.length, value: batch.value });
  // Any money that returns to the balance is offered to the batches that wait for it.
  await jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
  await emit(tx, emissionOf(call), {
    type: "batch.cancelled",
    objectId: batch.id,
    payload: { by: eventActorOf(actor) },
  });
  return batchOf(cancelled);
}

/** Marks a batch as reconciled or not reconciled (BAT-077). */
export async function reconcileBatch(tx: Tx, call: Call<typeof setBatchReconciled>) {
  const { params, body, actor } = call;
  const batch = await getLockedBatch(tx, params.id);
  const decision = decideReconcile({ status: batch.status, profile: actor.profile });
  if (decision.kind === "refused") throw new AppError(decision.code);
  if (batch.reconciled === body.reconciled) return batchOf(batch);
  const changed = await lifeStore.setReconciled(tx, batch.id, body.reconciled);
  await audit(tx, call, body.reconciled ? "batch_reconciled" : "batch_unreconciled", batch.id);
  return batchOf(changed);
}
