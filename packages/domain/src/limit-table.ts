/** Limits of payments as the operator of an installation writes them. */
import type { PaymentMethod } from "./limits.ts";
import { type Cents, cents, centsMax } from "./money.ts";
import { type LimitPeriod, type LimitTable, limitPeriods, paymentMethods } from "./payment-limits.ts";

const entry = /^([A-Z]+)(?:\.([A-Z]+))?=(\d{1,16})$/;

/**
 * Reads limits in centavos: `DAILY=5000000,NIGHTLY.PIX=100000`. A later entry overrides an earlier one, and unset
 * limits come from `base`. Returns the invalid entries as well.
 */
export function readLimitTable(text: string, base: LimitTable): { table: LimitTable; unreadable: string[] } {
  const table: Record<LimitPeriod, Record<PaymentMethod, Cents>> = {
    TRANSACTION: { ...base.TRANSACTION },
    DAILY: { ...base.DAILY },
    NIGHTLY: { ...base.NIGHTLY },
    WEEKEND: { ...base.WEEKEND },
  };
  const unreadable: string[] = [];
  for (const part of text.split(",").map((one) => one.trim())) {
    if (part === "") continue;
    const [, name, method, digits] = entry.exec(part) ?? [];
    const period = limitPeriods.find((known) => known === name);
    const methods =
      method === undefined ? paymentMethods : paymentMethods.filter((known) => known === method);
    const value = Number(digits);
    if (!period || methods.length === 0 || !(value <= centsMax)) {
      unreadable.push(part);
      continue;
    }
    for (const one of methods) table[period][one] = cents(value);
  }
  return { table, unreadable };
}

/**
 * Returns the places, such as `DAILY.TED`, where the maximum is below the limit: every company without limits of its own
 * would exceed it.
 */
export const placesBelowLimits = (maxima: LimitTable, limits: LimitTable): string[] =>
  limitPeriods.flatMap((period) =>
    paymentMethods
      .filter((method) => maxima[period][method] < limits[period][method])
      .map((method) => `${period}.${method}`),
  );
