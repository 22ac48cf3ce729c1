/** One payment at a time, from the wizard: added and changed in a draft, corrected after a failure, given back. */
import type {
  addTransfer,
  changeTransfer,
  refundTransfer,
  removeTransfer,
  removeTransfers,
  TransferInput,
} from "@malote/contracts/transfers";
import { isMaskOf, isObfuscatedTaxId } from "@malote/domain/tax-id";
import {
  type BatchRow,
  getDraft,
  getLockedBatch,
  giveBack,
  growBatch,
  requireCorrector,
  settleBatch,
  tedMoment,
} from "../batches/index.ts";
import { countMoved } from "../indicators/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { prepare, readFacts } from "./facts.ts";
import { draftFrom } from "./present.ts";
import { read } from "./read.ts";
import { findTransfer, markReturned, sendCorrected, type TransferRow } from "./store.ts";
import { removeFromDraft, writeToDraft } from "./write.ts";

export async function add(tx: Tx, call: Call<typeof addTransfer>) {
  const { params, body, actor, now } = call;
  const batch = await getDraft(tx, params.id, actor.profile);
  if (batch.type !== "TRANSFER") throw new AppError("batch_wrong_type");
  const id = body.id ?? uuidv7(now.getTime());
  const grown = await writeToDraft(tx, batch.id, [{ ...body, id }], now);
  await growBatch(tx, batch.id, grown, actor.id);
  await audit(tx, call, "transfer_added", id, { batch: batch.id, value: body.value });
  return read(tx, id, now);
}

export async function change(tx: Tx, call: Call<typeof changeTransfer>, jobs: Jobs) {
  const { params, body, actor, now } = call;
  const batch = await getLockedBatch(tx, params.id);
  const transfer = await findTransfer(tx, params.tid);
  if (!transfer || transfer.batch_id !== batch.id) throw new AppError("not_found");
  if (batch.status === "DRAFT") {
    const draft = await getDraft(tx, params.id, actor.profile);
    await growBatch(
      tx,
      draft.id,
      await writeToDraft(tx, draft.id, [{ ...body, id: transfer.id }], now),
      actor.id,
    );
    await audit(tx, call, "transfer_changed", transfer.id, {
      batch: draft.id,
      from: transfer.value,
      to: body.value,
    });
    return read(tx, transfer.id, now);
  }
  return correct(tx, call, batch, transfer, body, jobs);
}

/** A failed payment of a batch already paid for: the mistake is mended, the money is still set aside (TRF-045). */
async function correct(
  tx: Tx,
  call: Call<typeof changeTransfer>,
  batch: BatchRow,
  transfer: TransferRow,
  body: TransferInput,
  jobs: Jobs,
) {
  const { actor, now } = call;
  if (transfer.status !== "FAILED") throw new AppError("transfer_not_editable");
  await requireCorrector(tx, actor, batch);
  if (body.value !== null && body.value !== transfer.value) throw new AppError("transfer_value_fixed");
  const given = draftFrom(body);
  if (given.taxId && isObfuscatedTaxId(given.taxId) && !isMaskOf(given.taxId, transfer.tax_id))
    throw new AppError("transfer_invalid", { errors: [{ code: "tax_id_invalid", field: "cpf_cnpj" }] });
  const facts = await readFacts(tx, now);
  const corrected = prepare(
    transfer.id,
    {
      ...given,
      // A masked document is how a screen shows a stranger's; it means "the one you have".
      taxId: isMaskOf(given.taxId, transfer.tax_id) ? transfer.tax_id : given.taxId,
      value: transfer.value,
      paymentDate: null,
    },
    facts,
  );
  if (corrected.errors.length > 0) throw new AppError("transfer_invalid", { errors: corrected.errors });
  const executeAt = corrected.method === "TED" ? tedMoment(null, now) : now;
  const sent = await sendCorrected(tx, corrected, executeAt, executeAt > now);
  if (!sent) throw new AppError("transfer_not_failed");
  await settleBatch(tx, transfer.batch_id, { failed: -1 }, now);
  await countMoved(tx, [sent]);
  await audit(tx, call, "transfer_corrected", transfer.id, { from: transfer.status_description });
  await jobs.enqueue(tx, "send-payments", { companyId: tx.companyId });
  return read(tx, transfer.id, now);
}

export async function remove(tx: Tx, call: Call<typeof removeTransfer>) {
  const batch = await getDraft(tx, call.params.id, call.actor.profile);
  const gone = await removeFromDraft(tx, batch.id, [call.params.tid]);
  if (gone.removed === 0) throw new AppError("not_found");
  await growBatch(tx, batch.id, gone, call.actor.id);
  await audit(tx, call, "transfer_removed", call.params.tid, { batch: batch.id, value: -gone.value });
  return { ok: true as const };
}

export async function removeMany(tx: Tx, call: Call<typeof removeTransfers>) {
  const batch = await getDraft(tx, call.params.id, call.actor.profile);
  const gone = await removeFromDraft(tx, batch.id, call.body.ids);
  await growBatch(tx, batch.id, gone, call.actor.id);
  await audit(tx, call, "transfers_removed", batch.id, { removed: gone.removed });
  return { removed: gone.removed };
}

/** Gives the money of a failed payment back to the balance; with it that of every failed payment to the same receiver (TRF-047). */
export async function refund(tx: Tx, call: Call<typeof refundTransfer>, jobs: Jobs) {
  const { params, now } = call;
  const batch = await getLockedBatch(tx, params.id);
  const transfer = await findTransfer(tx, params.tid);
  if (!transfer || transfer.batch_id !== batch.id) throw new AppError("not_found");
  if (transfer.status !== "FAILED") throw new AppError("transfer_not_failed");
  const returned = await markReturned(tx, batch.id, transfer.receiver_id, now);
  const value = await giveBack(tx, jobs, batch.id, returned, { failed: returned.length, now });
  await countMoved(tx, returned);
  await audit(tx, call, "transfers_refunded", batch.id, { transfers: returned.map((one) => one.id), value });
  return read(tx, transfer.id, now);
}
