/** Changes to a draft: creating, renaming and saving it, and removing an unchanged import. */
import type * as contracts from "@malote/contracts/batches";
import { auditChanges } from "@malote/domain/audit-trail";
import { requireContractAccepted } from "../../company/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { uuidv7 } from "../../platform/uuid.ts";
import type { ReadCharges } from "../lookups/ask-codes.ts";
import { paymentKinds } from "../payment-kinds.ts";
import { removeFromDraft } from "../transfers/write.ts";
import * as lifeStore from "./life-store.ts";
import { getDraft, getLockedBatch } from "./locked-batch.ts";
import { batchOf } from "./present.ts";
import { getBatch } from "./read.ts";
import * as store from "./store.ts";

/** Creates a batch. The caller may choose the id, so that a repeated request finds the batch of the first one. */
export async function createBatch(
  tx: Tx,
  call: Call<typeof contracts.createBatch>,
  charges: ReadCharges,
  jobs: Jobs,
) {
  const { body, actor, now } = call;
  await requireContractAccepted(tx);
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
    const payments = { transfers: body.transfers ?? [], boletos: body.billets ?? [] };
    if (payments.transfers.length + payments.boletos.length > 0) {
      const grown = await paymentKinds[body.type].write(tx, id, payments, { by: actor, now, charges });
      await store.applyContentChange(tx, id, grown, actor.id);
      await jobs.enqueue(tx, "ask-lookups", { companyId: tx.companyId, batchId: id });
    }
  }
  return batchOf(await getBatch(tx, id));
}

export async function renameBatch(tx: Tx, call: Call<typeof contracts.renameBatch>) {
  const batch = await getLockedBatch(tx, call.params.id);
  // Approvers recognise a batch by its name.
  if (batch.status === "WAITING_APPROVAL" || batch.status === "PENDING")
    throw new AppError("batch_keeps_name");
  const renamed = await store.renameBatch(tx, batch.id, call.body.name);
  await audit(tx, call, "batch_renamed", batch.id, {
    changes: auditChanges({ name: batch.name }, { name: call.body.name }),
  });
  return batchOf(renamed);
}

/** Saves a draft. The body holds changed payments only, so the cost does not depend on the size of the batch. */
export async function saveBatch(
  tx: Tx,
  call: Call<typeof contracts.saveBatch>,
  charges: ReadCharges,
  jobs: Jobs,
) {
  const { params, body, actor, now } = call;
  const batch = await getDraft(tx, params.id, actor.profile);
  const given = { transfers: body.transfers, boletos: body.billets };
  const written = await paymentKinds[batch.type].write(tx, batch.id, given, { by: actor, now, charges });
  const removed = await store.removeKeepingApprovals(tx, batch.id, () =>
    removeFromDraft(tx, batch.id, body.removed_ids),
  );
  const saved = await store.applyContentChange(
    tx,
    batch.id,
    {
      value: written.value + removed.value,
      payments: written.payments + removed.payments,
      errors: written.errors + removed.errors,
    },
    // Saving another person's content without a change does not make the caller its author.
    written.written > 0 ? actor.id : null,
    body.name,
  );
  if (written.written > 0)
    await jobs.enqueue(tx, "ask-lookups", { companyId: tx.companyId, batchId: batch.id });
  await audit(tx, call, "batch_saved", batch.id, { written: written.written, removed: removed.removed });
  return batchOf(saved);
}

/**
 * Removes a draft that is unchanged after its import, so that its sheet can be read again with other columns. Returns
 * false when the batch was edited or is no draft.
 */
export async function removeUntouchedImport(tx: Tx, batchId: string, now: Date): Promise<boolean> {
  const batch = await getLockedBatch(tx, batchId);
  if (batch.status !== "DRAFT" || !batch.was_imported) return false;
  await lifeStore.markRemoved(tx, batch.id, "REMOVED", now);
  return true;
}
