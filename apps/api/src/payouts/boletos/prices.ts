/** Boletos of a batch whose value differs from the price of their register. */
import { priceOf } from "@malote/domain/boleto";
import { saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import type { Tx } from "../../platform/db/database.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import { sqlIsExpired } from "../rules/rules-sql.ts";
import { registerOfRow } from "./present.ts";
import { type BoletoRow, draftOf, listBoletosPricedByRegister } from "./store.ts";

/** Returns the register's price on the day the boleto would run; undefined when the register has no payable price. */
export function priceNow(row: BoletoRow, now: Date) {
  const moment = { today: saoPauloDate(now), now: saoPauloTime(now) };
  return priceOf(draftOf(row), moment, registerOfRow(row))?.total;
}

export const isWronglyPriced = (row: BoletoRow, now: Date): boolean => {
  const price = priceNow(row, now);
  return price !== undefined && price !== row.value;
};

/**
 * Counts the boletos of a batch whose value differs from the price of their register. `exceptExpired` leaves out
 * expired ones.
 */
export async function countWronglyPriced(
  tx: Tx,
  batchId: string,
  facts: DayFacts,
  { exceptExpired }: { exceptExpired: boolean },
): Promise<number> {
  const except = exceptExpired ? sqlIsExpired(facts) : undefined;
  const rows = await listBoletosPricedByRegister(tx, batchId, facts.today, except);
  return rows.filter((row) => isWronglyPriced(row, facts.instant)).length;
}
