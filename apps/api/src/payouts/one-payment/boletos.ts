/**
 * Actions on one boleto: adding and changing it in a draft, correcting it after a failure, returning its money, and
 * cancelling it while it is scheduled.
 */
import type { addBillet, changeBillet, refundBillet, removeBillet } from "@malote/contracts/boletos";
import { auditChanges } from "@malote/domain/audit-trail";
import { canCancelBoleto } from "@malote/domain/boleto";
import { saoPauloDate } from "@malote/domain/calendar";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Services } from "../../platform/services.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import { getDraft, getLockedBatch } from "../batches/locked-batch.ts";
import { returnPayments } from "../batches/return-payments.ts";
import { applyContentChange, type BatchRow, keepingApprovals } from "../batches/store.ts";
import { requireMayReturn } from "../batches/who-resolves.ts";
import { readBoleto } from "../boletos/read.ts";
import { type BoletoRow, findBoleto, markCancelled } from "../boletos/store.ts";
import { writeBoletosToDraft } from "../boletos/write.ts";
import { correctPayment } from "../corrections/correct.ts";
import { markReturned } from "../transfers/store.ts";
import { removeFromDraft } from "../transfers/write.ts";

export async function addBoleto(tx: Tx, call: Call<typeof addBillet>) {
  const { params, body, actor, now } = call;
  const batch = await getDraft(tx, params.id, actor.profile);
  if (batch.type !== "BILLET") throw new AppError("batch_wrong_type");
  const id = body.id ?? uuidv7(now.getTime());
  await applyContentChange(
    tx,
    batch.id,
    await writeBoletosToDraft(tx, batch.id, [{ ...body, id }], actor, now),
    actor.id,
  );
  await audit(tx, call, "billet_added", id, { batch: batch.id, value: body.value });
  return readBoleto(tx, id, now);
}

/** Locks the batch and returns it with its boleto. */
async function lockedBoleto(tx: Tx, batchId: string, billetId: string) {
  const batch = await getLockedBatch(tx, batchId);
  const boleto = await findBoleto(tx, billetId);
  if (boleto?.batch_id !== batch.id) throw new AppError("billet_not_found");
  return { batch, boleto };
}

export async function changeBoleto(
  tx: Tx,
  call: Call<typeof changeBillet>,
  services: Pick<Services, "jobs" | "config">,
) {
  const { params, actor, now } = call;
  const { confirmations, ...body } = call.body;
  const { batch, boleto } = await lockedBoleto(tx, params.id, body.id);
  if (batch.status !== "DRAFT") {
    const asked = { input: body };
    const outcome = await correctPayment(tx, call, services, {
      batch,
      payment: boleto,
      asked,
      confirmations,
    });
    const shown = await readBoleto(tx, boleto.id, now);
    return outcome === "waits" ? { ...shown, awaits_approval: true } : shown;
  }
  await getDraft(tx, batch.id, actor.profile);
  await applyContentChange(
    tx,
    batch.id,
    await writeBoletosToDraft(tx, batch.id, [body], actor, now),
    actor.id,
  );
  await audit(tx, call, "billet_changed", boleto.id, {
    batch: batch.id,
    changes: auditChanges({ value: boleto.value }, { value: body.value }),
  });
  return readBoleto(tx, boleto.id, now);
}

/**
 * Removes a boleto from a draft, or cancels a scheduled one and returns its money to the balance (BIL-022, BIL-028).
 */
export async function removeBoleto(tx: Tx, call: Call<typeof removeBillet>, jobs: Jobs) {
  const { params, actor } = call;
  const { batch, boleto } = await lockedBoleto(tx, params.id, params.billetId);
  if (batch.status !== "DRAFT") return cancel(tx, call, batch, boleto, jobs);
  await getDraft(tx, batch.id, actor.profile);
  const gone = await keepingApprovals(tx, batch.id, () => removeFromDraft(tx, batch.id, [boleto.id]));
  await applyContentChange(tx, batch.id, gone, null);
  await audit(tx, call, "billet_removed", boleto.id, { batch: batch.id, value: -gone.value });
  return { ok: true as const };
}

async function cancel(
  tx: Tx,
  call: Call<typeof removeBillet>,
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

/** Returns the money of a failed boleto to the balance. */
export async function refundBoleto(tx: Tx, call: Call<typeof refundBillet>, jobs: Jobs) {
  const { params, now } = call;
  const { batch, boleto } = await lockedBoleto(tx, params.id, params.billetId);
  await requireMayReturn(tx, call);
  if (boleto.status !== "FAILED") throw new AppError("transfer_not_failed");
  const returned = await markReturned(tx, batch.id, [boleto.id], now);
  const value = await returnPayments(tx, jobs, batch.id, returned, { had: "failed", call });
  await audit(tx, call, "billet_refunded", boleto.id, { batch: batch.id, value });
  return readBoleto(tx, boleto.id, now);
}
