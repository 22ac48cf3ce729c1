/** Read calls for the transfers of a batch, over all batches, and for one transfer. */

import type * as contracts from "@malote/contracts/transfers";
import { batchTypes } from "@malote/domain/batch-status";
import { centsMax } from "@malote/domain/money";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import { readPayment, showPayments } from "../lists/kind.ts";
import { listOfBatch, listOverAll, listReceiptsOverAll } from "../lists/lists.ts";
import {
  isAnyUnscheduled,
  listFailed,
  listFailedIdsTo,
  readSummaryOfFailed,
  requireListedBatch,
} from "../lists/store.ts";
import { findKnownHolder } from "../lookups/ask-keys.ts";
import { transferKind } from "./listed.ts";

export async function listTransfers(tx: Tx, { params, query, now }: Call<typeof contracts.listTransfers>) {
  const batch = await requireListedBatch(tx, params.id, ["TRANSFER"], now);
  const [list, failedTransfersSummary, isUnscheduled] = await Promise.all([
    listOfBatch(tx, transferKind, batch, query, now),
    readSummaryOfFailed(tx, batch),
    isAnyUnscheduled(tx, batch.id),
  ]);
  return {
    ...list,
    is_all_transfers_scheduled: batch.count > 0 && !isUnscheduled,
    failedTransfersSummary,
  };
}

/** Returns the payments that 'Excluir falhas' removes (BAT-046), transfers or boletos. */
export async function listFailedIds(tx: Tx, { params, now }: Call<typeof contracts.listFailedTransferIds>) {
  const failed = await listFailed(tx, await requireListedBatch(tx, params.id, batchTypes, now));
  return {
    ids: failed.map(({ id }) => id),
    value: Math.min(
      failed.reduce((sum, { value }) => sum + (value ?? 0), 0),
      centsMax,
    ),
  };
}

export const listAllTransfers = (tx: Tx, { query, now }: Call<typeof contracts.listAllTransfers>) =>
  listOverAll(tx, transferKind, query, now);

export const listTransfersWithReceipts = (
  tx: Tx,
  { query, now }: Call<typeof contracts.listTransfersWithReceipts>,
) => listReceiptsOverAll(tx, transferKind, query, now);

export const readTransfer = (tx: Tx, id: string, now: Date) => readPayment(tx, transferKind, id, now);

/** Returns a transfer with the holder of its key, as a page over all batches shows it (TRF-055). */
export async function readTransferDetails(tx: Tx, id: string, now: Date) {
  const transfer = await readTransfer(tx, id, now);
  const { pix_key, cpf_cnpj } = transfer.destination_bank_account;
  const document = transfer.pix_key_validation?.cpf_cnpj ?? cpf_cnpj;
  const holder = pix_key === null ? undefined : await findKnownHolder(tx, pix_key, document);
  return { ...transfer, key_holder: holder ?? null };
}

/** Returns the failed payments to one receiver (BAT-082). */
export async function listFailedOfReceiver(tx: Tx, batchId: string, receiverId: string, now: Date) {
  const batch = await requireListedBatch(tx, batchId, ["TRANSFER"], now);
  return showPayments(tx, transferKind, await listFailedIdsTo(tx, batch.id, receiverId), now);
}
