/** What boletos of a batch cost by what their registers answered, where that is no longer what is in them. */
import { priceOf } from "@malote/domain/boleto";
import { saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import type { Tx } from "../../platform/db/database.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import { sqlIsExpired } from "../rules/rules-sql.ts";
import { registerOfRow } from "./present.ts";
import { type BoletoRow, boletosPricedByRegister, draftOf } from "./store.ts";

/** The register's price on the day it would run; undefined where it says nothing one could pay by. */
export function priceNow(row: BoletoRow, now: Date) {
  const moment = { today: saoPauloDate(now), now: saoPauloTime(now) };
  return priceOf(draftOf(row), moment, registerOfRow(row))?.total;
}

export const isWronglyPriced = (row: BoletoRow, now: Date): boolean => {
  const price = priceNow(row, now);
  return price !== undefined && price !== row.value;
};

/** Boletos of a batch that would be paid at another amount than their registers ask for, those that are too late left out or not. */
export async function countWronglyPriced(
  tx: Tx,
  batchId: string,
  facts: DayFacts,
  { exceptExpired }: { exceptExpired: boolean },
): Promise<number> {
  const except = exceptExpired ? sqlIsExpired(facts) : undefined;
  const rows = await boletosPricedByRegister(tx, batchId, facts.today, except);
  return rows.filter((row) => isWronglyPriced(row, facts.instant)).length;
}
