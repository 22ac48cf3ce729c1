/**
 * Called before every reservation of money for a payment, in the same transaction and before the ledger: adds the
 * amount to the sums of its periods, and refuses all of it when a sum exceeds its limit (COM-035 to COM-038).
 */
import type { PaymentMethod } from "@malote/domain/limits";
import { cents, formatBrl } from "@malote/domain/money";
import {
  type LimitShortage,
  type LimitTable,
  type OwnLimits,
  paymentMethodNames,
  shortageOf,
  shortageTexts,
  windowOf,
} from "@malote/domain/payment-limits";
import { limitsInForce } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { addUses, type LimitUse, readSums } from "./store.ts";

const keyOf = ({ day, period, method }: LimitUse) => `${day} ${period} ${method}`;
const negative = (uses: readonly LimitUse[]) => uses.map((use) => ({ ...use, value: -use.value }));

function shortageIn(
  requested: readonly LimitUse[],
  sums: readonly LimitUse[],
  limits: LimitTable,
): LimitShortage | undefined {
  const values = new Map<string, number>();
  for (const use of requested) values.set(keyOf(use), (values.get(keyOf(use)) ?? 0) + use.value);
  return sums
    .map((sum) => shortageOf({ ...sum, value: cents(values.get(keyOf(sum)) ?? 0), used: sum.value }, limits))
    .find((shortage) => shortage && shortage.value > 0);
}

export function overLimit(shortage: LimitShortage): AppError {
  const { period, day, method, limit, left, value } = shortage;
  return new AppError("payment_over_limit", {
    ...shortageTexts(shortage),
    // The same facts in machine-readable form.
    period,
    day,
    payment_method: method,
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
  const requested = new Map<string, LimitUse>();
  for (const use of uses)
    requested.set(keyOf(use), { ...use, value: use.value + (requested.get(keyOf(use))?.value ?? 0) });
  const sums = [...requested].map(([key, use]) => ({ ...use, value: use.value + (used.get(key) ?? 0) }));
  return shortageIn(uses, sums, limitsInForce(own));
}

/** Releases uses that this transaction does not need, or of money that never left and returns to the balance. */
export async function releaseLimits(tx: Tx, uses: readonly LimitUse[]): Promise<void> {
  await addUses(tx, negative(uses));
}

interface LeavingPayment {
  method: PaymentMethod;
  value: number;
  at: Date;
  now: Date;
}

/** Takes the use of a single payment, which no batch has checked. */
export async function consumeLimits(
  tx: Tx,
  { method, value, at, now }: LeavingPayment,
  own: OwnLimits,
): Promise<void> {
  const max = limitsInForce(own).TRANSACTION[method];
  if (value > max)
    throw new AppError("payment_over_maximum", { method: paymentMethodNames[method], max: formatBrl(max) });
  const shortage = await tryToConsume(tx, [{ ...windowOf(method, at, now), method, value }], own);
  if (shortage) throw overLimit(shortage);
}

/**
 * Moves the use of a failed payment that is resent to its new period, and returns it. A refusal leaves all sums
 * unchanged, so that of many payments resent the others proceed.
 */
export async function moveLimits(
  tx: Tx,
  before: readonly LimitUse[],
  { method, value, at, now }: LeavingPayment,
  own: OwnLimits,
): Promise<LimitUse> {
  const use = { ...windowOf(method, at, now), method, value };
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
