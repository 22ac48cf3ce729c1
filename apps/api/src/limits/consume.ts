/**
 * Called before every reservation of money for a payment, in the same transaction and before the ledger: adds the
 * amount to the sums of its periods, and refuses all of it when a sum exceeds its limit (COM-035 to COM-038).
 */
import type { PaymentType } from "@malote/domain/limits";
import { cents, formatBrl } from "@malote/domain/money";
import {
  type LimitShortage,
  type LimitTable,
  type OwnLimits,
  paymentTypeNames,
  shortageOf,
  shortageTexts,
  windowOf,
} from "@malote/domain/payment-limits";
import { limitsInForce } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { addUses, type LimitUse, readSums } from "./store.ts";

const keyOf = ({ day, period, type }: LimitUse) => `${day} ${period} ${type}`;
const negative = (uses: readonly LimitUse[]) => uses.map((use) => ({ ...use, value: -use.value }));

function shortageIn(
  asked: readonly LimitUse[],
  sums: readonly LimitUse[],
  limits: LimitTable,
): LimitShortage | undefined {
  const values = new Map<string, number>();
  for (const use of asked) values.set(keyOf(use), (values.get(keyOf(use)) ?? 0) + use.value);
  return sums
    .map((sum) => shortageOf({ ...sum, value: cents(values.get(keyOf(sum)) ?? 0), used: sum.value }, limits))
    .find((shortage) => shortage && shortage.value > 0);
}

export function overLimit(shortage: LimitShortage): AppError {
  const { period, day, type, limit, left, value } = shortage;
  return new AppError("payment_over_limit", {
    ...shortageTexts(shortage),
    // The same facts in machine-readable form.
    period,
    day,
    payment_method: type,
    limit_cents: limit,
    left_cents: left,
    value_cents: value,
  });
}

/** Takes all of the uses, or none when a sum would exceed its limit; then returns that limit. */
export async function tryToConsume(
  tx: Tx,
  uses: readonly LimitUse[],
  own: OwnLimits,
): Promise<LimitShortage | undefined> {
  const sums = await addUses(tx, uses);
  const shortage = shortageIn(uses, sums, limitsInForce(own));
  if (shortage) await addUses(tx, negative(uses));
  return shortage;
}

/** Returns the limit that these uses would exceed if they were taken now. Takes nothing. */
export async function foreseeShortage(
  tx: Tx,
  uses: readonly LimitUse[],
  own: OwnLimits,
): Promise<LimitShortage | undefined> {
  const used = new Map((await readSums(tx, uses)).map((sum) => [keyOf(sum), sum.value]));
  const asked = new Map<string, LimitUse>();
  for (const use of uses)
    asked.set(keyOf(use), { ...use, value: use.value + (asked.get(keyOf(use))?.value ?? 0) });
  const sums = [...asked].map(([key, use]) => ({ ...use, value: use.value + (used.get(key) ?? 0) }));
  return shortageIn(uses, sums, limitsInForce(own));
}

/** Releases uses that this transaction does not need, or of money that never left and returns to the balance. */
export async function releaseLimits(tx: Tx, uses: readonly LimitUse[]): Promise<void> {
  await addUses(tx, negative(uses));
}

interface LeavingPayment {
  type: PaymentType;
  value: number;
  at: Date;
  now: Date;
}

/** Takes the use of a single payment, which no batch has checked. */
export async function consumeLimits(
  tx: Tx,
  { type, value, at, now }: LeavingPayment,
  own: OwnLimits,
): Promise<void> {
  const max = limitsInForce(own).TRANSACTION[type];
  if (value > max)
    throw new AppError("payment_over_maximum", { method: paymentTypeNames[type], max: formatBrl(max) });
  const shortage = await tryToConsume(tx, [{ ...windowOf(type, at, now), type, value }], own);
  if (shortage) throw overLimit(shortage);
}

/**
 * Moves the use of a failed payment that is sent again to its new period, and returns it. A refusal leaves all sums
 * unchanged, so that of many payments sent again the others proceed.
 */
export async function moveLimits(
  tx: Tx,
  before: readonly LimitUse[],
  { type, value, at, now }: LeavingPayment,
  own: OwnLimits,
): Promise<LimitUse> {
  const use = { ...windowOf(type, at, now), type, value };
  const moved = [...negative(before), use];
  const sums = await addUses(tx, moved);
  const shortage = shortageIn(
    [use],
    sums.filter((sum) => keyOf(sum) === keyOf(use)),
    limitsInForce(own),
  );
  if (shortage) {
    await addUses(tx, negative(moved));
    throw overLimit(shortage);
  }
  return use;
}
