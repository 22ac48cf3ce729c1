/**
 * Approval of a batch: sending to approval, rejecting, and reopening for editing. The last approval closes the batch,
 * so approving is in close.ts.
 */
import type * as contracts from "@malote/contracts/batch-life";
import { decideEnableEdit, decideReject, decideSendToApproval } from "@malote/domain/batch";
import { readCompany } from "../../company/index.ts";
import { deleteOutflow, findNoApproverReason, readApprovals, voidApprovals } from "../../controls/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import { emissionOf, emit } from "../../platform/events/emit.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { checkLines } from "../checks/check.ts";
import { invalidateFindings } from "../checks/findings-store.ts";
import { paymentKinds } from "../payment-kinds.ts";
import { readShortage, requireChecksConfirmed } from "./checks.ts";
import { readCloseFacts } from "./close-facts.ts";
import * as lifeStore from "./life-store.ts";
import { getLockedBatch } from "./locked-batch.ts";
import { batchOf, batchSnapshot } from "./present.ts";
import { getBatch } from "./read.ts";
import * as store from "./store.ts";

export async function sendToApproval(tx: Tx, call: Call<typeof contracts.sendBatchToApproval>) {
  const { params, body, actor, now } = call;
  const batch = await getLockedBatch(tx, params.id);
  const decision = decideSendToApproval({
    batch: await readCloseFacts(tx, batch, await readCompany(tx), now),
    actor: { profile: actor.profile },
    ...(body.revision !== undefined && { seenRevision: body.revision }),
  });
  if (decision.kind === "refused") throw new AppError(decision.code, decision.data ?? null);
  await requireChecksConfirmed(tx, call, batch);
  const sent = await lifeStore.markSentToApproval(tx, batch.id, decision.to, {
    revision: decision.approvalRevision,
    digest: await store.readDigest(tx, batch.id),
  });
  await invalidateFindings(tx, now);
  await audit(tx, call, "batch_sent_to_approval", batch.id, { revision: batch.revision, value: batch.value });
  const checks = await checkLines(tx, batch, { now, shortage: await readShortage(tx, batch, now) });
  const by = { id: actor.id, name: actor.name };
  await emit(tx, emissionOf(call), {
    type: "batch.approval_requested",
    objectId: batch.id,
    payload: { ...batchSnapshot(batch), by, checks },
  });
  return batchOf(sent);
}

/** Refreshes the lookups of boletos: their register may have changed the price while the batch was not a draft. */
async function enqueueLookups(tx: Tx, jobs: Jobs, { id, type }: store.BatchRow): Promise<void> {
  if (paymentKinds[type].isPricedByRegister)
    await jobs.enqueue(tx, "ask-lookups", { companyId: tx.companyId, batchId: id });
}

export async function rejectBatch(tx: Tx, call: Call<typeof contracts.rejectBatch>, jobs: Jobs) {
  const batch = await getLockedBatch(tx, call.params.id);
  const isOperator = call.actor.profile === "operator";
  // An operator rejects only what they could approve; an admin rejects any batch that waits for an approval.
  const refused = isOperator ? await findNoApproverReason(tx, call, batch) : undefined;
  if (refused) throw refused;
  const decision = decideReject({
    status: batch.status,
    profile: call.actor.profile,
    isNamedApprover: isOperator,
  });
  if (decision.kind === "refused") throw new AppError(decision.code);
  const reason = call.body.reason || null;
  const draft = await lifeStore.returnToDraft(tx, batch.id, decision.to, { sentBackBy: "person", reason });
  await voidApprovals(tx, batch.id);
  await audit(tx, call, "batch_reproved", batch.id, { reason });
  await enqueueLookups(tx, jobs, batch);
  const by = { id: call.actor.id, name: call.actor.name };
  await emit(tx, emissionOf(call), {
    type: "batch.rejected",
    objectId: batch.id,
    payload: { ...batchSnapshot(batch), by, reason, createdBy: batch.created_by },
  });
  return batchOf(draft);
}

export async function enableEdit(tx: Tx, call: Call<typeof contracts.enableBatchEdit>, jobs: Jobs) {
  const batch = await getLockedBatch(tx, call.params.id);
  const decision = decideEnableEdit({ status: batch.status, profile: call.actor.profile });
  if (decision.kind === "refused") throw new AppError(decision.code);
  const draft = await lifeStore.returnToDraft(tx, batch.id, decision.to, { sentBackBy: null, reason: null });
  await audit(tx, call, "batch_reopened", batch.id, { was: batch.status });
  await enqueueLookups(tx, jobs, batch);
  // The batch had a place in the funding queue; the next batch may need less money.
  if (batch.status === "WAITING") {
    await deleteOutflow(tx, batch.id);
    await jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
  }
  return batchOf(draft);
}

/** Returns who approved, how many approvals are missing, and whether the caller may approve. */
export async function readApprovalsFor(tx: Tx, call: Call<typeof contracts.readBatchApprovals>) {
  const batch = await getBatch(tx, call.params.id);
  return readApprovals(tx, call, { ...batch, isWaiting: batch.status === "WAITING_APPROVAL" });
}
