/** What time, a new rule or a register has made wrong since the payments of a batch were written. */

import type { Tx } from "../../platform/db/database.ts";
import { countWronglyPriced } from "../boletos/prices.ts";
import type { DayFacts } from "../transfers/facts.ts";
import { expired } from "../transfers/store.ts";
import { type BatchRow, countNewlyWrong } from "./store.ts";

export async function newlyWrong(
  tx: Tx,
  batch: Pick<BatchRow, "id" | "type">,
  facts: DayFacts,
): Promise<{ expired: number; forbidden: number; repriced: number }> {
  const counted = await countNewlyWrong(tx, batch.id, facts);
  const repriced =
    batch.type === "BILLET" ? await countWronglyPriced(tx, batch.id, facts, expired(facts)) : 0;
  return { ...counted, repriced };
}
