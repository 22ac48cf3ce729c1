/** Use of the company's limits by a batch: each payment counts in the period in which it leaves. */
import { type LimitShortage, type OwnLimits, windowOf } from "@malote/domain/payment-limits";
import { paymentMoment } from "@malote/domain/payment-moment";
import { foreseeShortage, overLimit, releaseLimits, tryToConsume } from "../../limits/index.ts";
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
  await releaseLimits(tx, await limitStore.listUsesOfPayments(tx, which));
}

const usesOf = (uses: readonly limitStore.BatchLimitUse[]) =>
  uses.map(({ method, period, on, value }) => ({ method, period, day: on, value }));

async function listLimitUses(tx: Tx, batchId: string, now: Date): Promise<limitStore.BatchLimitUse[]> {
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
  const uses = await listLimitUses(tx, batchId, now);
  return foreseeShortage(tx, usesOf(uses.filter(({ value }) => value !== null)), own);
}

/** Consumes the limits for the whole batch, or nothing when a limit would be exceeded. */
export async function tryToConsumeForBatch(
  tx: Tx,
  batchId: string,
  own: OwnLimits,
  now: Date,
): Promise<{ uses: limitStore.BatchLimitUse[]; shortage: LimitShortage | undefined }> {
  const uses = await listLimitUses(tx, batchId, now);
  return { uses, shortage: await tryToConsume(tx, usesOf(uses), own) };
}

export async function consumeLimitsForBatch(
  tx: Tx,
  batchId: string,
  own: OwnLimits,
  now: Date,
): Promise<limitStore.BatchLimitUse[]> {
  const { uses, shortage } = await tryToConsumeForBatch(tx, batchId, own, now);
  if (shortage) throw overLimit(shortage);
  return uses;
}

/** Stores the consumed limits when the money is reserved, and releases them when it is not. */
export async function commitOrReleaseLimits(
  tx: Tx,
  batchId: string,
  uses: readonly limitStore.BatchLimitUse[],
  isFunded: boolean,
): Promise<void> {
  await (isFunded ? limitStore.saveLimitUses(tx, batchId, uses) : releaseLimits(tx, usesOf(uses)));
}
