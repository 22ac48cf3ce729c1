/**
 * Closes a batch: reserves the money and answers at once; a job releases the payments. Too little money is no refusal:
 * the batch waits for it. An approval is stored as a row, and the last one closes the batch.
 */
import type * as contracts from "@malote/contracts/batch-life";
import { decideClose } from "@malote/domain/batch";
import { readCompany } from "../../company/index.ts";
import { findApproverRefusal, readApprovalStateOfBatch, recordBatchApproval } from "../../controls/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import { emissionOf, emit, eventActorOf } from "../../platform/events/emit.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { invalidateFindings } from "../checks/findings-store.ts";
import { lockBoletoCodes, lockChecks } from "../locks.ts";
import { paymentKinds } from "../payment-kinds.ts";
import { requireChecksConfirmed } from "./checks.ts";
import { readCloseFacts } from "./close-facts.ts";
import * as lifeStore from "./life-store.ts";
import { commitOrReleaseLimits, consumeLimitsForBatch } from "./limits.ts";
import { getLockedBatch } from "./locked-batch.ts";
import { batchSnapshot } from "./present.ts";
import { reserve } from "./reserve.ts";
import * as store from "./store.ts";

export async function closeBatch(tx: Tx, call: Call<typeof contracts.closeBatch>, jobs: Jobs) {
  return closeOrApprove(tx, call, await getLockedBatch(tx, call.params.id), jobs);
}

/**
 * Approves a batch that was sent to approval, by the same decision as `closeBatch`. Operators that the controls name
 * may call it.
 */
export async function approveBatch(tx: Tx, call: Call<typeof contracts.approveBatch>, jobs: Jobs) {
  const batch = await getLockedBatch(tx, call.params.id);
  if (batch.status !== "WAITING_APPROVAL") throw new AppError("batch_not_waiting_approval");
  if (call.body.digest !== batch.approval_digest) throw new AppError("approval_content_changed");
  return closeOrApprove(tx, call, batch, jobs);
}

async function closeOrApprove(
  tx: Tx,
  call: Call<typeof contracts.closeBatch> | Call<typeof contracts.approveBatch>,
  batch: store.BatchRow,
  jobs: Jobs,
) {
  const { body, actor, now } = call;
  const isDraft = batch.status === "DRAFT";
  const company = await readCompany(tx);
  const { settings, blocked } = company;
  if (blocked) throw new AppError("company_blocked");
  if (await paymentKinds[batch.type].hasCodes(tx, batch.id)) await lockBoletoCodes(tx);
  await lockChecks(tx);
  const approval =
    isDraft || batch.status === "WAITING_APPROVAL"
      ? await readApprovalStateOfBatch(tx, batch, now)
      : undefined;
  const decision = decideClose({
    batch: await readCloseFacts(tx, batch, company, now),
    actor: { profile: actor.profile },
    ...(body.revision !== undefined && { seenRevision: body.revision }),
    approvalRevision: batch.approval_revision,
    approverRefusal: approval && (await findApproverRefusal(tx, call, { isDraft }, approval)),
  });
  if (decision.kind === "refused") throw new AppError(decision.code, decision.data ?? null);
  if (!approval) throw new Error(`batch ${batch.id} cannot be accepted in ${batch.status}`);
  if (decision.approves && (await store.readDigest(tx, batch.id)) !== batch.approval_digest) {
    throw new AppError("approval_content_changed");
  }
  await requireChecksConfirmed(tx, call, batch);

  // A person who closes a draft of others approves its current content, so the digest is stored.
  const digest = isDraft && approval.need.approvers > 0 ? await store.readDigest(tx, batch.id) : null;
  const recorded = await recordBatchApproval(
    tx,
    call,
    { ...batch, approval_digest: digest ?? batch.approval_digest, isDraft },
    approval,
  );
  const isApproval = decision.approves || recorded.missing > 0;
  const by = eventActorOf(actor);
  const closed = { ...batchSnapshot(batch), createdBy: batch.created_by };
  await emit(
    tx,
    emissionOf(call),
    isApproval
      ? {
          type: "batch.approved",
          objectId: batch.id,
          payload: { by, ...(recorded.missing === 0 && { closed }) },
        }
      : { type: "batch.closed", objectId: batch.id, payload: { by } },
  );
  if (recorded.missing > 0) {
    await audit(tx, call, "batch_approval_given", batch.id, {
      value: batch.value,
      revision: batch.revision,
      missing: recorded.missing,
    });
    return { is_batch_paid: false, status: "WAITING_APPROVAL" as const };
  }

  const closing = batch.closings + 1;
  const uses = await consumeLimitsForBatch(tx, batch.id, settings, now);
  const isFunded = await reserve(tx, batch, closing, now);
  await Promise.all([
    lifeStore.markClosed(tx, batch.id, {
      to: decision.to,
      closing,
      isFunded,
      closedBy: actor.kind === "user" ? actor.id : null,
      approversMin: recorded.needed,
      digest,
      now,
    }),
    commitOrReleaseLimits(tx, batch.id, uses, isFunded),
    invalidateFindings(tx, now),
    isFunded && jobs.enqueue(tx, "close-batch", { companyId: tx.companyId, batchId: batch.id }),
    audit(tx, call, decision.approves ? "batch_approved" : "batch_closed", batch.id, {
      value: batch.value,
      payments: batch.payments_count,
      revision: batch.revision,
      isPaid: isFunded,
    }),
  ]);
  return { is_batch_paid: isFunded, status: isFunded ? decision.to : ("WAITING" as const) };
}
