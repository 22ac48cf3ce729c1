/** One transfer, from the wizard, and the removal of transfers from a draft. */
import type * as contracts from "@malote/contracts/transfers";
import type { Transfer, TransferInput } from "@malote/contracts/transfers";
import { countMoved } from "../../indicators/index.ts";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import { getDraft } from "../batches/locked-batch.ts";
import { applyContentChange, removeKeepingApprovals } from "../batches/store.ts";
import { readTransfer } from "../transfers/read.ts";
import { findTransfer } from "../transfers/store.ts";
import { removeFromDraft, writeToDraft } from "../transfers/write.ts";
import type { OnePaymentKind } from "./kind.ts";

export const oneTransfer: OnePaymentKind<TransferInput, Transfer> = {
  kind: "TRANSFER",
  find: findTransfer,
  read: readTransfer,
  notInBatch: "not_found",
  async write(tx, batchId, transfer, { actor, now }, { charges, jobs }) {
    const grown = await writeToDraft(tx, batchId, [transfer], actor, now, charges);
    await jobs.enqueue(tx, "ask-lookups", { companyId: tx.companyId, batchId });
    return grown;
  },
  added: "transfer_added",
  changed: "transfer_changed",
  async recordReturn(tx, call, { batch_id: batchId }, { payments, value }) {
    await countMoved(tx, payments);
    await audit(tx, call, "transfers_refunded", batchId, { transfers: payments.map(({ id }) => id), value });
  },
};

export async function removeTransfer(tx: Tx, call: Call<typeof contracts.removeTransfer>) {
  const batch = await getDraft(tx, call.params.id, call.actor.profile);
  const gone = await removeKeepingApprovals(tx, batch.id, () =>
    removeFromDraft(tx, batch.id, [call.params.tid]),
  );
  if (gone.removed === 0) throw new AppError("not_found");
  await applyContentChange(tx, batch.id, gone, null);
  await audit(tx, call, "transfer_removed", call.params.tid, { batch: batch.id, value: -gone.value });
  return { ok: true as const };
}

export async function removeMany(tx: Tx, call: Call<typeof contracts.removeTransfers>) {
  const batch = await getDraft(tx, call.params.id, call.actor.profile);
  const gone = await removeKeepingApprovals(tx, batch.id, () => removeFromDraft(tx, batch.id, call.body.ids));
  await applyContentChange(tx, batch.id, gone, null);
  await audit(tx, call, "transfers_removed", batch.id, { removed: gone.removed });
  return { removed: gone.removed };
}
