/**
 * Reads limits from the environment, in centavos: `DAILY=5000000,NIGHTLY.PIX=100000`. A later entry overrides an
 * earlier one.
 */

import type { PaymentType } from "@malote/domain/limits";
import { type Cents, cents, centsMax } from "@malote/domain/money";
import { type LimitPeriod, type LimitTable, limitPeriods, paymentTypes } from "@malote/domain/payment-limits";

const entry = /^([A-Z]+)(?:\.([A-Z]+))?=(\d{1,16})$/;

export function readLimitTable(
  variable: string,
  text: string,
  base: LimitTable,
  problems: string[],
): LimitTable {
  const table: Record<LimitPeriod, Record<PaymentType, Cents>> = {
    TRANSACTION: { ...base.TRANSACTION },
    DAILY: { ...base.DAILY },
    NIGHTLY: { ...base.NIGHTLY },
    WEEKEND: { ...base.WEEKEND },
  };
  for (const part of text.split(",").map((one) => one.trim())) {
    if (part === "") continue;
    const [, name, type, digits] = entry.exec(part) ?? [];
    const period = limitPeriods.find((known) => known === name);
    const types = type === undefined ? paymentTypes : paymentTypes.filter((known) => known === type);
    const value = Number(digits);
    if (!period || types.length === 0 || !(value <= centsMax)) {
      problems.push(`${variable} não entendeu "${part}": use DAILY=centavos ou NIGHTLY.PIX=centavos`);
      continue;
    }
    for (const one of types) table[period][one] = cents(value);
  }
  return table;
}
