/** A draft's life: made, named, filled, emptied, deleted. */
import type {
  createBatch,
  deleteBatch,
  readReceiversToRemove,
  renameBatch,
  saveBatch,
} from "@malote/contracts/batches";
import type { BilletInput } from "@malote/contracts/billets";
import type { TransferInput } from "@malote/contracts/transfers";
import { decideDelete, decideSave } from "@malote/domain/batch";
import { writeBilletsToDraft } from "../billets/index.ts";
import { readCompany } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { hasBroughtReceivers, removeBroughtReceivers } from "../receivers/index.ts";
import { removeFromDraft, writeToDraft } from "../transfers/index.ts";
import { batchOf } from "./present.ts";
import { getBatch } from "./read.ts";
import * as store from "./store.ts";

export async function getLockedBatch(tx: Tx, id: string): Promise<store.BatchRow> {
  const batch = await store.lockBatch(tx, id);
  if (!batch || !store.isBatch(batch)) throw new AppError("not_found");
  return batch;
}

/** The batch, locked, when its payments may still change by this person's hand. */
export async function getDraft(
  tx: Tx,
  id: string,
  profile: "admin" | "operator" | "analyst",
): Promise<store.BatchRow> {
  const batch = await getLockedBatch(tx, id);
  const decision = decideSave({ status: batch.status, profile });
  if (decision.kind === "refused") throw new AppError(decision.code);
  return batch;
}

/**
 * Refuses whoever may not send a failed payment of a batch again. What was reserved was reserved by an admin, so
 * sending it elsewhere is an admin's decision too, and where a second pair of eyes is asked for, not that of the
 * admin who made the batch, with the hands of a credential or not.
 */
export async function requireCorrector(tx: Tx, actor: Actor, batch: store.BatchRow): Promise<void> {
  if (actor.profile !== "admin") throw new AppError("forbidden");
  const { settings, blocked } = await readCompany(tx);
  if (blocked) throw new AppError("company_blocked");
  if (!settings.requiresOtherApprover) return;
  const [editors, person] = await Promise.all([
    store.peopleBehind(tx, batch.edited_by),
    store.personBehind(tx, actor),
  ]);
  if (editors.includes(person)) throw new AppError("approver_is_creator");
}

/** The id may come from the caller, so that a repeated request finds the batch it made. */
export async function create(tx: Tx, call: Call<typeof createBatch>) {
  const { body, actor, now } = call;
  const company = await readCompany(tx);
  if (!company.acceptedContract) throw new AppError("contract_not_accepted");
  const id = body.id ?? uuidv7(now.getTime());
  const isNew = await store.insertBatch(tx, {
    id,
    name: body.name,
    type: body.type,
    createdBy: actor.kind === "user" ? actor.id : null,
    createdByName: actor.name,
    editorId: actor.id,
    now,
  });
  if (isNew) {
    await audit(tx, call, "batch_created", id, { name: body.name });
    const payments = { transfers: body.transfers ?? [], billets: body.billets ?? [] };
    if (payments.transfers.length + payments.billets.length > 0)
      await store.growBatch(
        tx,
        id,
        await writePayments(tx, { id, type: body.type }, payments, now),
        actor.id,
      );
  }
  return batchOf(await getBatch(tx, id));
}

/** BAT-003: billets for a batch of billets, transfers otherwise. */
async function writePayments(
  tx: Tx,
  batch: Pick<store.BatchRow, "id" | "type">,
  { transfers, billets }: { transfers: TransferInput[]; billets: BilletInput[] },
  now: Date,
) {
  const others = batch.type === "BILLET" ? transfers : billets;
  if (others.length > 0) throw new AppError("batch_wrong_type");
  return batch.type === "BILLET"
    ? writeBilletsToDraft(tx, batch.id, billets, now)
    : writeToDraft(tx, batch.id, transfers, now);
}

export async function rename(tx: Tx, call: Call<typeof renameBatch>) {
  const batch = await getLockedBatch(tx, call.params.id);
  // The name is what an approver knows a batch by.
  if (batch.status === "WAITING_APPROVAL" || batch.status === "PENDING")
    throw new AppError("batch_not_editable");
  await store.renameBatch(tx, batch.id, call.body.name);
  await audit(tx, call, "batch_renamed", batch.id, { from: batch.name, to: call.body.name });
  return batchOf(await getBatch(tx, batch.id));
}

/** Only what changed arrives, so saving costs the same in a batch of fifty and of a hundred thousand. */
export async function save(tx: Tx, call: Call<typeof saveBatch>) {
  const { params, body, actor, now } = call;
  const batch = await getDraft(tx, params.id, actor.profile);
  const written = await writePayments(tx, batch, body, now);
  const removed = await removeFromDraft(tx, batch.id, body.removed_ids);
  await store.growBatch(
    tx,
    batch.id,
    {
      value: written.value + removed.value,
      payments: written.payments + removed.payments,
      errors: written.errors + removed.errors,
    },
    actor.id,
    body.name,
  );
  await audit(tx, call, "batch_saved", batch.id, { written: written.written, removed: removed.removed });
  return batchOf(await getBatch(tx, batch.id));
}

/** BAT-071: only a draft's; those of a batch that was closed are people it paid. */
export async function receiversToRemove(tx: Tx, { params }: Call<typeof readReceiversToRemove>) {
  const batch = await getBatch(tx, params.id);
  return { data: batch.status === "DRAFT" && (await hasBroughtReceivers(tx, batch.id, batch.created_at)) };
}

export async function remove(tx: Tx, call: Call<typeof deleteBatch>, jobs: Jobs) {
  const batch = await getLockedBatch(tx, call.params.id);
  const decision = decideDelete({ status: batch.status, profile: call.actor.profile });
  if (decision.kind === "refused") throw new AppError(decision.code);
  const takesReceivers = decision.mayRemoveReceivers && call.query.removeDestinationBankAccounts === "true";
  const receivers = takesReceivers ? await removeBroughtReceivers(tx, batch.id, batch.created_at) : 0;
  await store.markRemoved(tx, batch.id, call.now);
  await audit(tx, call, "batch_removed", batch.id, { name: batch.name, value: batch.value, receivers });
  // It stood before others in the line for money; the next one may need less.
  if (batch.status === "WAITING") await jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
  return { ok: true as const };
}
