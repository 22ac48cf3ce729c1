/** Boletos that are paid on a later day than the one they were given. */
import { boletoRunDay } from "@malote/domain/boleto";
import { type CalendarDate, saoPauloTime } from "@malote/domain/calendar";
import type { Tx } from "../../platform/db/database.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import { boletoDays } from "./store.ts";

/** A day without settlement, or an hour after the network closed. One that no day pays in time is a mistake instead. */
export async function hasLateBoletos(tx: Tx, batchId: string, facts: DayFacts): Promise<boolean> {
  const { today } = facts;
  const moment = { today, now: saoPauloTime(facts.instant) };
  return (await boletoDays(tx, batchId, facts)).some(({ day, early }) => {
    const wanted = day as CalendarDate | null;
    return boletoRunDay(wanted, early, moment) > (wanted ?? today);
  });
}
