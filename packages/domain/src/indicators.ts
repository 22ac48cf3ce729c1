/** Building blocks of the indicators: their period, their shares, and the number of banks in a chart. */
import { type CalendarDate, daysBetween } from "./calendar.ts";

export type PeriodRefusal = "period_too_long" | "period_too_short";

/** The maximum period (IND-003): twelve whole months, also of a leap year. */
const daysMax = 365;

/**
 * Returns the refusal of a period (IND-003, IND-004), counted from the first day to the last, so a single day is too
 * short.
 */
export function refusePeriod(start: CalendarDate, end: CalendarDate): PeriodRefusal | undefined {
  const days = daysBetween(start, end);
  if (days > daysMax) return "period_too_long";
  return days < 1 ? "period_too_short" : undefined;
}

/** Returns a percentage in whole hundredths (IND-013), half up. */
export function percentageOf(quantity: number, total: number): number {
  return total === 0 ? 0 : Math.round((quantity * 10_000) / total) / 100;
}

export interface Share {
  name: string;
  quantity: number;
}

/** Banks beyond these counts form one group (IND-012). */
export const others = "Outros";
export const banksInDistribution = 4;
export const banksInComparison = 5;

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);

/** Returns the largest shares, highest first, and all others as one, so the sum is unchanged. */
export function largestShares(shares: readonly Share[], max: number): Share[] {
  const sorted = shares.toSorted((one, other) => other.quantity - one.quantity || byName(one, other));
  const rest = sorted.slice(max);
  const quantity = rest.reduce((sum, share) => sum + share.quantity, 0);
  return [...sorted.slice(0, max), ...(rest.length > 0 ? [{ name: others, quantity }] : [])];
}

export interface BankComparison {
  name: string;
  finished: number;
  returned: number;
}

/** Joins the two distributions by bank (IND-011); banks with the most returned payments come first (IND-012). */
export function compareBanks(finished: readonly Share[], returned: readonly Share[]): BankComparison[] {
  const quantities = (shares: readonly Share[]) =>
    new Map(shares.map(({ name, quantity }) => [name, quantity]));
  const [paid, cameBack] = [quantities(finished), quantities(returned)];
  const banks = [...new Set([...paid.keys(), ...cameBack.keys()])]
    .map((name) => ({ name, finished: paid.get(name) ?? 0, returned: cameBack.get(name) ?? 0 }))
    .sort(
      (one, other) => other.returned - one.returned || other.finished - one.finished || byName(one, other),
    );
  const rest = banks.slice(banksInComparison);
  const sum = (of: "finished" | "returned") => rest.reduce((total, bank) => total + bank[of], 0);
  return [
    ...banks.slice(0, banksInComparison),
    ...(rest.length > 0 ? [{ name: others, finished: sum("finished"), returned: sum("returned") }] : []),
  ];
}
