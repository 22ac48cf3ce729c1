/** The model's own calendar, computed in another way, so that an error of the product's is not repeated here. */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** São Paulo has had no summer time since 2019. */
const behindUtcMs = 3 * hourMs;

/** Copied from the banks' calendar, for the years that a sequence can reach. */
const holidays = new Set(
  `2026-01-01 2026-02-16 2026-02-17 2026-04-03 2026-04-21 2026-05-01 2026-06-04 2026-09-07 2026-10-12 2026-11-02
   2026-11-15 2026-11-20 2026-12-25 2026-12-31
   2027-01-01 2027-02-08 2027-02-09 2027-03-26 2027-04-21 2027-05-01 2027-05-27 2027-09-07 2027-10-12 2027-11-02
   2027-11-15 2027-11-20 2027-12-25 2027-12-31`.split(/\s+/),
);

export const dayOf = (instant: number) => new Date(instant - behindUtcMs).toISOString().slice(0, 10);
export const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`) + behindUtcMs;
export const atHour = (day: string, hours: number) => startOf(day) + hours * hourMs;
export const plusDays = (day: string, days: number) => dayOf(startOf(day) + days * dayMs);

export function isBankDay(day: string): boolean {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !holidays.has(day);
}

export function bankDayFrom(day: string): string {
  return isBankDay(day) ? day : bankDayFrom(plusDays(day, 1));
}

/** Returns whether it is too late: 16:30:00 still counts, 16:30:01 does not. */
export function isPastCutOff(instant: number): boolean {
  return instant - startOf(dayOf(instant)) >= 16.5 * hourMs + 1_000;
}

/** Returns whether a TED requested now can no longer run today. */
export const tedIsClosedToday = (now: number) => isBankDay(dayOf(now)) && isPastCutOff(now);

export const tedOpensHour = 6.5;

/** Returns when a payment for this day, or without a day, may leave. */
export function leavesAt(method: string, date: string | undefined, now: number): number {
  const today = dayOf(now);
  const wanted = date === undefined || date < today ? today : date;
  if (method !== "TED") return Math.max(now, startOf(wanted));
  const runsOn = wanted === today && tedIsClosedToday(now) ? plusDays(today, 1) : wanted;
  return Math.max(now, atHour(bankDayFrom(runsOn), tedOpensHour));
}
