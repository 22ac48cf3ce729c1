/** Use of the company's limits by a batch: each payment counts in the period in which it leaves. */
import { boletoMoment } from "@malote/domain/boleto";
import {
  businessDayOnOrAfter,
  type CalendarDate,
  isBusinessDay,
  nextBusinessDay,
  saoPauloDate,
  saoPauloTime,
  startOfDay,
  tedCutOff,
  tedOpens,
} from "@malote/domain/calendar";
import { type LimitShortage, type OwnLimits, windowOf } from "@malote/domain/payment-limits";
import { foreseeShortage, overLimit, releaseLimits, tryToTake } from "../../limits/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import * as limitStore from "./limit-store.ts";

/** Returns the instant from which a TED for this day may be sent; a null day means as soon as possible. */
export function tedMoment(day: string | null, now: Date): Date {
  const today = saoPauloDate(now);
  const wanted = day === null || day < today ? today : (day as CalendarDate);
  const tooLate = wanted === today && isBusinessDay(today) && saoPauloTime(now) > tedCutOff;
  const runsOn = tooLate ? nextBusinessDay(wanted) : businessDayOnOrAfter(wanted);
  const opens = tedOpens(runsOn);
  return opens > now ? opens : now;
}

/** Returns when the payments of a group leave; the network accepts some kinds at certain hours only. */
export function momentOf({ method, day, isEarly }: limitStore.PaymentGroup, now: Date): Date {
  if (method === "TED") return tedMoment(day, now);
  if (method === "BILLET") return boletoMoment(day as CalendarDate | null, isEarly, now);
  const begins = day === null ? now : startOfDay(day as CalendarDate);
  return begins > now ? begins : now;
}

/**
 * Releases the limits of payments whose money never left and returns to the balance. Expects the same transaction to
 * have moved them.
 */
export async function releaseBatchLimits(
  tx: Tx,
  which: { ids: readonly string[] } | { batchId: string },
): Promise<void> {
  await releaseLimits(tx, await limitStore.usesOfPayments(tx, which));
}

const usesOf = (takes: readonly limitStore.LimitTake[]) =>
  takes.map(({ method, period, on, value }) => ({ type: method, period, day: on, value }));

async function listTakes(tx: Tx, batchId: string, now: Date): Promise<limitStore.LimitTake[]> {
  return (await limitStore.sumGroups(tx, batchId)).map((group) => {
    const { period, day: on } = windowOf(group.method, momentOf(group, now), now);
    return { ...group, period, on };
  });
}

/** Returns the limit that the batch would exceed as it is, if any. Ignores draft payments without a value. */
export async function foreseeShortageOfBatch(
  tx: Tx,
  batchId: string,
  own: OwnLimits,
  now: Date,
): Promise<LimitShortage | undefined> {
  const takes = await listTakes(tx, batchId, now);
  return foreseeShortage(tx, usesOf(takes.filter(({ value }) => value !== null)), own);
}

/** Consumes the limits for the whole batch, or nothing when a limit would be exceeded. */
export async function tryToTakeForBatch(
  tx: Tx,
  batchId: string,
  own: OwnLimits,
  now: Date,
): Promise<{ takes: limitStore.LimitTake[]; shortage: LimitShortage | undefined }> {
  const takes = await listTakes(tx, batchId, now);
  return { takes, shortage: await tryToTake(tx, usesOf(takes), own) };
}

export async function consumeLimitsForBatch(
  tx: Tx,
  batchId: string,
  own: OwnLimits,
  now: Date,
): Promise<limitStore.LimitTake[]> {
  const { takes, shortage } = await tryToTakeForBatch(tx, batchId, own, now);
  if (shortage) throw overLimit(shortage);
  return takes;
}

/** Stores the consumed limits when the money is reserved, and releases them when it is not. */
export async function commitOrReleaseLimits(
  tx: Tx,
  batchId: string,
  takes: readonly limitStore.LimitTake[],
  isPaid: boolean,
): Promise<void> {
  await (isPaid ? limitStore.keepLimitTakes(tx, batchId, takes) : releaseLimits(tx, usesOf(takes)));
}
