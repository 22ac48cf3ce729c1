/**
 * Actions on one payment of any kind: adding and changing it in a draft, correcting it after a failure, and returning
 * its money.
 */
import { auditChanges } from "@malote/domain/audit-trail";
import type { Confirmation } from "@malote/domain/checks";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import { getDraft, getLockedBatch } from "../batches/locked-batch.ts";
import { returnPayments } from "../batches/return-payments.ts";
import { applyContentChange } from "../batches/store.ts";
import { requireMayReturn } from "../batches/who-resolves.ts";
import { correctPayment } from "../corrections/correct.ts";
import type { CorrectionInput } from "../corrections/kind.ts";
import type { CorrectingCall } from "../corrections/send.ts";
import { markReturned } from "../transfers/store.ts";
import type { LookupNeeds, OnePaymentKind, PaymentRow } from "./kind.ts";

/** Payment of a batch, by their ids. */
export interface PaymentInBatch {
  batchId: string;
  id: string;
}

export async function addPayment<Input extends CorrectionInput, Shown>(
  tx: Tx,
  kind: OnePaymentKind<Input, Shown>,
  call: CorrectingCall & { params: { id: string }; body: Input & { id?: string | undefined } },
  needs: LookupNeeds,
): Promise<Shown> {
  const { params, body, actor, now } = call;
  const batch = await getDraft(tx, params.id, actor.profile);
  if (batch.type !== kind.kind) throw new AppError("batch_wrong_type");
  const id = body.id ?? uuidv7(now.getTime());
  const grown = await kind.write(tx, batch.id, { ...body, id }, call, needs);
  await applyContentChange(tx, batch.id, grown, actor.id);
  await audit(tx, call, kind.added, id, { batch: batch.id, value: body.value });
  return kind.read(tx, id, now);
}

/** Locks the batch and returns it with its payment. */
export async function lockPayment<Input extends CorrectionInput, Shown, Row extends PaymentRow>(
  tx: Tx,
  kind: OnePaymentKind<Input, Shown, Row>,
  { batchId, id }: PaymentInBatch,
) {
  const batch = await getLockedBatch(tx, batchId);
  const payment = await kind.find(tx, id);
  if (payment?.batch_id !== batch.id) throw new AppError(kind.notInBatch);
  return { batch, payment };
}

/** Changes a payment of a draft, or corrects a failed one, which may wait for an approval. */
export async function changePayment<Input extends CorrectionInput, Shown extends object>(
  tx: Tx,
  kind: OnePaymentKind<Input, Shown>,
  place: PaymentInBatch,
  call: CorrectingCall,
  { input, confirmations }: { input: Input; confirmations: readonly Confirmation[] | undefined },
  needs: LookupNeeds,
): Promise<Shown & { awaits_approval?: true }> {
  const { actor, now } = call;
  const { batch, payment } = await lockPayment(tx, kind, place);
  if (batch.status !== "DRAFT") {
    const requested = { input, charges: needs.charges };
    const outcome = await correctPayment(tx, call, needs, { batch, payment, requested, confirmations });
    const shown = await kind.read(tx, payment.id, now);
    return outcome === "waits" ? { ...shown, awaits_approval: true } : shown;
  }
  await getDraft(tx, batch.id, actor.profile);
  const grown = await kind.write(tx, batch.id, { ...input, id: payment.id }, call, needs);
  await applyContentChange(tx, batch.id, grown, actor.id);
  await audit(tx, call, kind.changed, payment.id, {
    batch: batch.id,
    changes: auditChanges({ value: payment.value }, { value: input.value }),
  });
  return kind.read(tx, payment.id, now);
}

/**
 * Returns the money of a failed payment to the balance, with that of every failed payment to the same receiver
 * (TRF-047).
 */
export async function returnPayment<Input extends CorrectionInput, Shown>(
  tx: Tx,
  kind: OnePaymentKind<Input, Shown>,
  place: PaymentInBatch,
  call: CorrectingCall,
  jobs: Jobs,
): Promise<Shown> {
  const { batch, payment } = await lockPayment(tx, kind, place);
  await requireMayReturn(tx, call);
  if (payment.status !== "FAILED") throw new AppError("transfer_not_failed");
  const payments = await markReturned(tx, batch.id, [payment.id], call.now);
  const value = await returnPayments(tx, jobs, batch.id, payments, { had: "failed", call });
  await kind.recordReturn(tx, call, payment, { payments, value });
  return kind.read(tx, payment.id, call.now);
}
