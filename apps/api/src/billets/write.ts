/** Writing billets of a draft. The caller holds the batch's row and adds the returned growth to it. */
import type { BilletInput } from "@malote/contracts/billets";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { DraftDelta } from "../transfers/index.ts";
import { prepare, readFacts } from "./facts.ts";
import { draftFrom } from "./present.ts";
import { writeDraftBillets } from "./store.ts";

/**
 * Of the billets named twice the last one stands. Refuses them all when one has the id of a payment in another batch:
 * without it, somebody would be left unpaid unnoticed.
 */
export async function writeBilletsToDraft(
  tx: Tx,
  batchId: string,
  inputs: readonly BilletInput[],
  now: Date,
): Promise<DraftDelta & { written: number }> {
  if (inputs.length === 0) return { value: 0, payments: 0, errors: 0, written: 0 };
  const facts = await readFacts(tx, now);
  const prepared = inputs.map((input) => prepare(input.id ?? uuidv7(now.getTime()), draftFrom(input), facts));
  const last = new Map(prepared.map((billet) => [billet.id.toLowerCase(), billet]));
  const grown = await writeDraftBillets(tx, batchId, [...last.values()], { today: facts.today, now });
  if (grown.written < last.size) throw new AppError("not_found");
  return grown;
}
