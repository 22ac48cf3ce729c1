/** One boleto, its removal from a draft, and its cancellation while it is scheduled. */
import type * as contracts from "@malote/contracts/boletos";
import type { Boleto, BoletoInput } from "@malote/contracts/boletos";
import { canCancelBoleto } from "@malote/domain/boleto";
import { saoPauloDate } from "@malote/domain/calendar";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { getDraft } from "../batches/locked-batch.ts";
import { returnPayments } from "../batches/return-payments.ts";
import { applyContentChange, type BatchRow, removeKeepingApprovals } from "../batches/store.ts";
import { readBoleto } from "../boletos/read.ts";
import { type BoletoRow, findBoleto, markCancelled } from "../boletos/store.ts";
import { writeBoletosToDraft } from "../boletos/write.ts";
import { removeFromDraft } from "../transfers/write.ts";
import { lockPayment } from "./actions.ts";
import type { OnePaymentKind } from "./kind.ts";

export const oneBoleto: OnePaymentKind<BoletoInput, Boleto, BoletoRow> = {
  kind: "BILLET",
  find: findBoleto,
  read: readBoleto,
  notInBatch: "billet_not_found",
  write: (tx, batchId, boleto, { actor, now }) => writeBoletosToDraft(tx, batchId, [boleto], actor, now),
  added: "billet_added",
  changed: "billet_changed",
  recordReturn: (tx, call, { id, batch_id: batch }, { value }) =>
    audit(tx, call, "billet_refunded", id, { batch, value }),
};

/**
 * Removes a boleto from a draft, or cancels a scheduled one and returns its money to the balance (BIL-022, BIL-028).
 */
export async function removeBoleto(tx: Tx, call: Call<typeof contracts.removeBoleto>, jobs: Jobs) {
  const { params, actor } = call;
  const { batch, payment } = await lockPayment(tx, oneBoleto, { batchId: params.id, id: params.billetId });
  if (batch.status !== "DRAFT") return cancel(tx, call, batch, payment, jobs);
  await getDraft(tx, batch.id, actor.profile);
  const gone = await removeKeepingApprovals(tx, batch.id, () => removeFromDraft(tx, batch.id, [payment.id]));
  await applyContentChange(tx, batch.id, gone, null);
  await audit(tx, call, "billet_removed", payment.id, { batch: batch.id, value: -gone.value });
  return { ok: true as const };
}

async function cancel(
  tx: Tx,
  call: Call<typeof contracts.removeBoleto>,
  batch: BatchRow,
  boleto: BoletoRow,
  jobs: Jobs,
) {
  const { now } = call;
  const mayCancel =
    boleto.status === "SCHEDULED" &&
    boleto.execute_at !== null &&
    canCancelBoleto("SCHEDULED", saoPauloDate(boleto.execute_at), saoPauloDate(now));
  if (!mayCancel || boleto.value === null || !(await markCancelled(tx, boleto.id, now)))
    throw new AppError("billet_not_cancellable");
  const { id, value, description: name } = boleto;
  const cancelled = { id, value, name, status_description: "Agendamento cancelado" };
  await returnPayments(tx, jobs, batch.id, [cancelled], { had: "scheduled", call });
  await audit(tx, call, "billet_cancelled", boleto.id, { batch: batch.id, value: boleto.value });
  return { ok: true as const };
}
