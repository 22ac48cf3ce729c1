/** What time, a new rule or a register has made wrong since the payments of a batch were written. */

import type { Tx } from "../../platform/db/database.ts";
import { countWronglyPriced } from "../boletos/prices.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import { sqlIsExpired } from "../rules/rules-sql.ts";
import { type BatchRow, countNewlyWrong } from "./store.ts";

export async function newlyWrong(
  tx: Tx,
  batch: Pick<BatchRow, "id" | "type">,
  facts: DayFacts,
): Promise<{ expired: number; forbidden: number; repriced: number }> {
  const counted = await countNewlyWrong(tx, batch.id, facts);
  const repriced =
    batch.type === "BILLET" ? await countWronglyPriced(tx, batch.id, facts, sqlIsExpired(facts)) : 0;
  return { ...counted, repriced };
}
