/** Use of the company's limits by a batch: each payment counts in the period in which it leaves. */
import { type LimitShortage, type OwnLimits, windowOf } from "@malote/domain/payment-limits";
import { paymentMoment } from "@malote/domain/payment-moment";
import { foreseeShortage, overLimit, releaseLimits, tryToTake } from "../../limits/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import * as limitStore from "./limit-store.ts";

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
    const { period, day: on } = windowOf(group.method, paymentMoment(group, now), now);
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
