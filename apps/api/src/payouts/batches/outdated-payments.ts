/** Counts the payments of a batch that time, a new rule or a register made wrong after they were written. */

import type { Tx } from "../../platform/db/database.ts";
import { paymentKinds } from "../payment-kinds.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import { type BatchRow, countNewlyWrong } from "./store.ts";

export async function countOutdatedPayments(
  tx: Tx,
  batch: Pick<BatchRow, "id" | "type">,
  facts: DayFacts,
): Promise<{ expired: number; forbidden: number; repriced: number }> {
  const counted = await countNewlyWrong(tx, batch.id, facts);
  const repriced = await paymentKinds[batch.type].countRepriced(tx, batch.id, facts, { exceptExpired: true });
  return { ...counted, repriced };
}
