/** What the indicators are built of: their period, their shares, and how many banks a chart has room for. */
import { type CalendarDate, daysBetween } from "./calendar.ts";

export type PeriodRefusal = "period_too_long" | "period_too_short";

/** IND-003. Twelve whole months fit, also those of a leap year. */
const daysMax = 365;

/** IND-003 IND-004: counted from the first day to the last, so a period of one day alone is too short. */
export function refusePeriod(start: CalendarDate, end: CalendarDate): PeriodRefusal | undefined {
  const days = daysBetween(start, end);
  if (days > daysMax) return "period_too_long";
  return days < 1 ? "period_too_short" : undefined;
}

/** A whole number of hundredths (IND-013), halves upwards. */
export function percentageOf(quantity: number, total: number): number {
  return total === 0 ? 0 : Math.round((quantity * 10_000) / total) / 100;
}

export interface Share {
  name: string;
  quantity: number;
}

/** IND-012: banks beyond these counts are one group. */
export const others = "Outros";
export const banksInDistribution = 4;
export const banksInComparison = 5;

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);

/** The largest, highest first, and all further ones as one: the sum stays the same. */
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

/** IND-011: the two distributions joined by bank. IND-012: those with the most returned first. */
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
