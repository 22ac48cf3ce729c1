/** Writing payments of a draft. The caller holds the batch's row and adds the returned growth to it. */
import type { TransferInput } from "@malote/contracts/transfers";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { prepare, readFacts } from "./facts.ts";
import { draftFrom } from "./present.ts";
import { type DraftDelta, removeDraftTransfers, writeDraftTransfers } from "./store.ts";

/**
 * Of the payments named twice the last one stands. Refuses them all when one has the id of a payment in another batch:
 * without it, somebody would be left unpaid unnoticed.
 */
export async function writeToDraft(
  tx: Tx,
  batchId: string,
  inputs: readonly TransferInput[],
  now: Date,
): Promise<DraftDelta & { written: number }> {
  if (inputs.length === 0) return { value: 0, payments: 0, errors: 0, written: 0 };
  const facts = await readFacts(tx, now);
  const prepared = inputs.map((input) => prepare(input.id ?? uuidv7(now.getTime()), draftFrom(input), facts));
  const last = new Map(prepared.map((transfer) => [transfer.id.toLowerCase(), transfer]));
  const grown = await writeDraftTransfers(tx, batchId, [...last.values()], now);
  if (grown.written < last.size) throw new AppError("not_found");
  return grown;
}

export async function removeFromDraft(tx: Tx, batchId: string, ids: readonly string[]) {
  if (ids.length === 0) return { value: 0, payments: 0, errors: 0, removed: 0 };
  return removeDraftTransfers(tx, batchId, ids);
}
