/** One billet at a time: added and changed in a draft, paid again after a failure, cancelled while it waits for its day. */
import type {
  addBillet,
  BilletInput,
  changeBillet,
  refundBillet,
  removeBillet,
} from "@malote/contracts/billets";
import { billetMoment, canCancelBillet, closesEarly } from "@malote/domain/billet";
import { type CalendarDate, saoPauloDate } from "@malote/domain/calendar";
import {
  type BatchRow,
  getDraft,
  getLockedBatch,
  giveBack,
  growBatch,
  requireCorrector,
  settleBatch,
} from "../batches/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { markReturned, removeFromDraft } from "../transfers/index.ts";
import { prepare, readFacts } from "./facts.ts";
import { draftFrom } from "./present.ts";
import { read } from "./read.ts";
import {
  type BilletRow,
  findBillet,
  isCodeUsed,
  lockBilletCodes,
  markCancelled,
  sendBilletAgain,
} from "./store.ts";
import { writeBilletsToDraft } from "./write.ts";

export async function add(tx: Tx, call: Call<typeof addBillet>) {
  const { params, body, actor, now } = call;
  const batch = await getDraft(tx, params.id, actor.profile);
  if (batch.type !== "BILLET") throw new AppError("batch_wrong_type");
  const id = body.id ?? uuidv7(now.getTime());
  await growBatch(tx, batch.id, await writeBilletsToDraft(tx, batch.id, [{ ...body, id }], now), actor.id);
  await audit(tx, call, "billet_added", id, { batch: batch.id, value: body.value });
  return read(tx, id, now);
}

/** The batch, locked, and its billet. */
async function lockedBillet(tx: Tx, batchId: string, billetId: string) {
  const batch = await getLockedBatch(tx, batchId);
  const billet = await findBillet(tx, billetId);
  if (billet?.batch_id !== batch.id) throw new AppError("billet_not_found");
  return { batch, billet };
}

export async function change(tx: Tx, call: Call<typeof changeBillet>, jobs: Jobs) {
  const { params, body, actor, now } = call;
  const { batch, billet } = await lockedBillet(tx, params.id, body.id);
  if (batch.status !== "DRAFT") return payAgain(tx, call, batch, billet, body, jobs);
  await getDraft(tx, batch.id, actor.profile);
  await growBatch(tx, batch.id, await writeBilletsToDraft(tx, batch.id, [body], now), actor.id);
  await audit(tx, call, "billet_changed", billet.id, { batch: batch.id, from: billet.value, to: body.value });
  return read(tx, billet.id, now);
}

/** A failed billet of a batch already paid for: the mistake is mended, the money is still set aside (decision 19). */
async function payAgain(
  tx: Tx,
  call: Call<typeof changeBillet>,
  batch: BatchRow,
  billet: BilletRow,
  body: BilletInput,
  jobs: Jobs,
) {
  const { actor, now } = call;
  if (billet.status !== "FAILED") throw new AppError("transfer_not_editable");
  await requireCorrector(tx, actor, batch);
  await lockBilletCodes(tx);
  const facts = await readFacts(tx, now);
  const corrected = prepare(billet.id, draftFrom(body), facts);
  if (corrected.draft.value !== billet.value) throw new AppError("billet_value_fixed");
  if (corrected.draft.barcode && (await isCodeUsed(tx, corrected.draft.barcode, billet.id)))
    throw new AppError("billet_duplicated");
  if (corrected.errors.length > 0) throw new AppError("billet_invalid", { errors: corrected.errors });
  const wanted = corrected.draft.paymentDate as CalendarDate | null;
  const executeAt = billetMoment(wanted, closesEarly(corrected.draft), now);
  if (!(await sendBilletAgain(tx, corrected, { today: facts.today, now, executeAt })))
    throw new AppError("transfer_not_failed");
  await settleBatch(tx, batch.id, { failed: -1 }, now);
  await audit(tx, call, "billet_corrected", billet.id, { from: billet.status_description });
  await jobs.enqueue(tx, "send-payments", { companyId: tx.companyId });
  return read(tx, billet.id, now);
}

/** Out of a draft, or off its schedule with its money back on the balance (BIL-022, BIL-028). */
export async function remove(tx: Tx, call: Call<typeof removeBillet>, jobs: Jobs) {
  const { params, actor } = call;
  const { batch, billet } = await lockedBillet(tx, params.id, params.billetId);
  if (batch.status !== "DRAFT") return cancel(tx, call, batch, billet, jobs);
  await getDraft(tx, batch.id, actor.profile);
  const gone = await removeFromDraft(tx, batch.id, [billet.id]);
  await growBatch(tx, batch.id, gone, actor.id);
  await audit(tx, call, "billet_removed", billet.id, { batch: batch.id, value: -gone.value });
  return { ok: true as const };
}

async function cancel(
  tx: Tx,
  call: Call<typeof removeBillet>,
  batch: BatchRow,
  billet: BilletRow,
  jobs: Jobs,
) {
  const { now } = call;
  const mayCancel =
    billet.status === "SCHEDULED" &&
    billet.execute_at !== null &&
    canCancelBillet("SCHEDULED", saoPauloDate(billet.execute_at), saoPauloDate(now));
  if (!mayCancel || billet.value === null || !(await markCancelled(tx, billet.id, now)))
    throw new AppError("billet_not_cancellable");
  const cancelled = { id: billet.id, value: billet.value, status_description: "Agendamento cancelado" };
  await giveBack(tx, jobs, batch.id, [cancelled], { failed: 0, now });
  await audit(tx, call, "billet_cancelled", billet.id, { batch: batch.id, value: billet.value });
  return { ok: true as const };
}

/** Gives the money of a failed billet back to the balance. */
export async function refund(tx: Tx, call: Call<typeof refundBillet>, jobs: Jobs) {
  const { params, now } = call;
  const { batch, billet } = await lockedBillet(tx, params.id, params.billetId);
  if (billet.status !== "FAILED") throw new AppError("transfer_not_failed");
  const returned = await markReturned(tx, batch.id, billet.receiver_id, now);
  const value = await giveBack(tx, jobs, batch.id, returned, { failed: returned.length, now });
  await audit(tx, call, "billet_refunded", billet.id, { batch: batch.id, value });
  return read(tx, billet.id, now);
}
