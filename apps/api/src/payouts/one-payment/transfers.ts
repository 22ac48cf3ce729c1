/**
 * Actions on one transfer, from the wizard: adding and changing it in a draft, correcting it after a failure, and
 * returning its money.
 */
import type * as contracts from "@malote/contracts/transfers";
import { auditChanges } from "@malote/domain/audit-trail";
import { countMoved } from "../../indicators/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Services } from "../../platform/services.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import { getDraft, getLockedBatch } from "../batches/locked-batch.ts";
import { returnPayments } from "../batches/return-payments.ts";
import { applyContentChange, keepingApprovals } from "../batches/store.ts";
import { requireMayReturn } from "../batches/who-resolves.ts";
import { correctPayment } from "../corrections/correct.ts";
import type { ReadCharges } from "../lookups/ask-codes.ts";
import { readTransfer } from "../transfers/read.ts";
import { findTransfer, markReturned } from "../transfers/store.ts";
import { removeFromDraft, writeToDraft } from "../transfers/write.ts";

export async function addTransfer(
  tx: Tx,
  call: Call<typeof contracts.addTransfer>,
  charges: ReadCharges,
  jobs: Jobs,
) {
  const { params, body, actor, now } = call;
  const batch = await getDraft(tx, params.id, actor.profile);
  if (batch.type !== "TRANSFER") throw new AppError("batch_wrong_type");
  const id = body.id ?? uuidv7(now.getTime());
  const grown = await writeToDraft(tx, batch.id, [{ ...body, id }], actor, now, charges);
  await applyContentChange(tx, batch.id, grown, actor.id);
  await jobs.enqueue(tx, "ask-lookups", { companyId: tx.companyId, batchId: batch.id });
  await audit(tx, call, "transfer_added", id, { batch: batch.id, value: body.value });
  return readTransfer(tx, id, now);
}

export async function changeTransfer(
  tx: Tx,
  call: Call<typeof contracts.changeTransfer>,
  charges: ReadCharges,
  services: Pick<Services, "jobs" | "config">,
) {
  const { params, actor, now } = call;
  const { confirmations, ...body } = call.body;
  const batch = await getLockedBatch(tx, params.id);
  const transfer = await findTransfer(tx, params.tid);
  if (!transfer || transfer.batch_id !== batch.id) throw new AppError("not_found");
  if (batch.status === "DRAFT") {
    const draft = await getDraft(tx, params.id, actor.profile);
    await applyContentChange(
      tx,
      draft.id,
      await writeToDraft(tx, draft.id, [{ ...body, id: transfer.id }], actor, now, charges),
      actor.id,
    );
    await services.jobs.enqueue(tx, "ask-lookups", { companyId: tx.companyId, batchId: draft.id });
    await audit(tx, call, "transfer_changed", transfer.id, {
      batch: draft.id,
      changes: auditChanges({ value: transfer.value }, { value: body.value }),
    });
    return readTransfer(tx, transfer.id, now);
  }
  const asked = { input: body, charges };
  const outcome = await correctPayment(tx, call, services, {
    batch,
    payment: transfer,
    asked,
    confirmations,
  });
  const shown = await readTransfer(tx, transfer.id, now);
  return outcome === "waits" ? { ...shown, awaits_approval: true } : shown;
}

export async function removeTransfer(tx: Tx, call: Call<typeof contracts.removeTransfer>) {
  const batch = await getDraft(tx, call.params.id, call.actor.profile);
  const gone = await keepingApprovals(tx, batch.id, () => removeFromDraft(tx, batch.id, [call.params.tid]));
  if (gone.removed === 0) throw new AppError("not_found");
  await applyContentChange(tx, batch.id, gone, null);
  await audit(tx, call, "transfer_removed", call.params.tid, { batch: batch.id, value: -gone.value });
  return { ok: true as const };
}

export async function removeMany(tx: Tx, call: Call<typeof contracts.removeTransfers>) {
  const batch = await getDraft(tx, call.params.id, call.actor.profile);
  const gone = await keepingApprovals(tx, batch.id, () => removeFromDraft(tx, batch.id, call.body.ids));
  await applyContentChange(tx, batch.id, gone, null);
  await audit(tx, call, "transfers_removed", batch.id, { removed: gone.removed });
  return { removed: gone.removed };
}

/**
 * Returns the money of a failed payment to the balance, with that of every failed payment to the same receiver
 * (TRF-047).
 */
export async function refundTransfer(tx: Tx, call: Call<typeof contracts.refundTransfer>, jobs: Jobs) {
  const { params, now } = call;
  const batch = await getLockedBatch(tx, params.id);
  const transfer = await findTransfer(tx, params.tid);
  if (!transfer || transfer.batch_id !== batch.id) throw new AppError("not_found");
  await requireMayReturn(tx, call);
  if (transfer.status !== "FAILED") throw new AppError("transfer_not_failed");
  const returned = await markReturned(tx, batch.id, [transfer.id], now);
  const value = await returnPayments(tx, jobs, batch.id, returned, { had: "failed", call });
  await countMoved(tx, returned);
  await audit(tx, call, "transfers_refunded", batch.id, { transfers: returned.map((one) => one.id), value });
  return readTransfer(tx, transfer.id, now);
}
