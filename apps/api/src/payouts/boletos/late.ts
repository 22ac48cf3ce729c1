/** Boletos that run on a later day than their payment date. */
import { boletoRunDay } from "@malote/domain/boleto";
import { type CalendarDate, saoPauloTime } from "@malote/domain/calendar";
import type { Tx } from "../../platform/db/database.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import { listBoletoDays } from "./store.ts";

/**
 * Returns whether a boleto runs later than its date, because the day has no settlement or the network has closed. A
 * boleto that no day can pay in time has an issue instead.
 */
export async function anyBoletoRunsLater(tx: Tx, batchId: string, facts: DayFacts): Promise<boolean> {
  const { today } = facts;
  const moment = { today, now: saoPauloTime(facts.instant) };
  return (await listBoletoDays(tx, batchId, facts)).some(({ day, early }) => {
    const wanted = day as CalendarDate | null;
    return boletoRunDay(wanted, early, moment) > (wanted ?? today);
  });
}
