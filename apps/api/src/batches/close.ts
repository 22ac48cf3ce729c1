/**
 * Closing a batch: the money is set aside and the answer given at once; the payments are sent on their way by a job.
 * Too little money is no refusal: the batch waits for it.
 */
import type { closeBatch } from "@malote/contracts/batches";
import { type BatchFacts, decideClose } from "@malote/domain/batch";
import { cents } from "@malote/domain/money";
import { lockBilletCodes } from "../billets/index.ts";
import { readCompany, type StoredSettings } from "../company/index.ts";
import { availableBalance, post } from "../ledger/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { dayFacts } from "../transfers/index.ts";
import { getLockedBatch } from "./edit.ts";
import * as store from "./store.ts";

export async function factsOf(
  tx: Tx,
  batch: store.BatchRow,
  settings: StoredSettings,
  now: Date,
): Promise<BatchFacts> {
  const [newly, editorIds] = await Promise.all([
    store.countNewlyWrong(tx, batch.id, dayFacts(settings, now)),
    store.peopleBehind(tx, batch.edited_by),
  ]);
  return {
    status: batch.status,
    editorIds,
    revision: batch.revision,
    paymentCount: batch.payments_count,
    errorCount: batch.errors_count + newly.expired + newly.forbidden,
    expiredCount: newly.expired,
    failedCount: batch.failed_count,
  };
}

/** Sets the batch's money aside in the ledger, once for each closing. False when the balance does not suffice. */
export const reserve = (
  tx: Tx,
  batch: Pick<store.BatchRow, "id" | "name" | "value">,
  closing: number,
  now: Date,
): Promise<boolean> =>
  post(tx, now, [
    {
      type: "BATCH",
      cause: `close:${batch.id}:${closing}`,
      from: "available",
      to: "reserved",
      amount: batch.value,
      description: `Lote ${batch.name}`,
      complement: { batch_id: batch.id },
    },
  ]);

export async function close(tx: Tx, call: Call<typeof closeBatch>, jobs: Jobs) {
  const { params, body, actor, now } = call;
  const [batch, { settings, blocked }, availableCents, userId] = await Promise.all([
    getLockedBatch(tx, params.id),
    readCompany(tx),
    availableBalance(tx),
    store.personBehind(tx, actor),
  ]);
  if (blocked) throw new AppError("company_blocked");
  if (batch.type === "BILLET") await lockBilletCodes(tx);
  const decision = decideClose({
    batch: await factsOf(tx, batch, settings, now),
    actor: { profile: actor.profile, userId },
    ...(body.revision !== undefined && { seenRevision: body.revision }),
    approvalRevision: batch.approval_revision,
    requiresOtherApprover: settings.requiresOtherApprover,
    totalCents: cents(batch.value),
    availableCents: cents(availableCents),
    isValidationAccount: settings.validationAccount,
  });
  if (decision.kind === "refused") throw new AppError(decision.code, decision.data ?? null);
  if (decision.approves && (await store.digestOf(tx, batch.id)) !== batch.approval_digest) {
    throw new AppError("approval_content_changed");
  }

  const closing = batch.closings + 1;
  const isPaid = await reserve(tx, batch, closing, now);
  await Promise.all([
    store.markClosed(tx, batch.id, { closing, isPaid, now }),
    isPaid && jobs.enqueue(tx, "close-batch", { companyId: tx.companyId, batchId: batch.id }),
    audit(tx, call, decision.approves ? "batch_approved" : "batch_closed", batch.id, {
      value: batch.value,
      payments: batch.payments_count,
      revision: batch.revision,
      isPaid,
    }),
  ]);
  return { is_batch_paid: isPaid, status: isPaid ? ("PENDING" as const) : ("WAITING" as const) };
}
