/** Charges of a boleto paid late: a fine once, and interest for the time (PAY-022, PAY-023). */
import { addDays, businessDayOnOrAfter, type CalendarDate, daysBetween } from "./calendar.ts";
import { type Cents, cents } from "./money.ts";

/** The names in Bacen's Pix rules for charges with a due date. */
export const interestTypes = [
  "fixed_per_day",
  "percentage_per_day",
  "percentage_per_month",
  "percentage_per_year",
  "fixed_per_working_day",
  "percentage_per_working_day",
  "percentage_per_month_working_days",
  "percentage_per_year_working_days",
] as const;
export type InterestType = (typeof interestTypes)[number];
export const fineTypes = ["fixed", "percentage"] as const;
export type FineType = (typeof fineTypes)[number];

/** A fixed rate is in centavos, a percentage in ten-thousandths of one percent: 1,5% is 15.000. */
export interface Rate<Type extends string> {
  type: Type;
  value: number;
}
export interface LateTerms {
  interest: Rate<InterestType> | null;
  fine: Rate<FineType> | null;
}

export const percentMax = 100;
const perPercent = 10_000;
export const isFixed = (type: InterestType | FineType): boolean => type.startsWith("fixed");
export const percentOf = (value: number): number => value / perPercent;
export const valueOfPercent = (percent: number): number => Math.round(percent * perPercent);

/** Days of a month and a year for interest: by the calendar, and by working days (Bacen). */
const periods: Readonly<Record<InterestType, number>> = {
  fixed_per_day: 1,
  percentage_per_day: 1,
  percentage_per_month: 30,
  percentage_per_year: 365,
  fixed_per_working_day: 1,
  percentage_per_working_day: 1,
  percentage_per_month_working_days: 21,
  percentage_per_year_working_days: 252,
};

/** Rounds half up to whole centavos; the products exceed a float's precision. */
function share(amount: Cents, value: number, days = 1, period = 1): Cents {
  const divisor = BigInt(period) * BigInt(100 * perPercent);
  const product = BigInt(amount) * BigInt(value) * BigInt(days);
  return cents(Number((product * 2n + divisor) / (divisor * 2n)));
}

function workingDaysAfter(dueDate: CalendarDate, paidOn: CalendarDate): number {
  let count = 0;
  for (let day = addDays(dueDate, 1); day <= paidOn; day = addDays(day, 1))
    if (businessDayOnOrAfter(day) === day) count++;
  return count;
}

/**
 * Returns zero until the due date, or the business day after it, is over. After that the days count from the due date
 * itself.
 */
export function lateCharges(
  amount: Cents,
  terms: LateTerms,
  { dueDate, paidOn }: { dueDate: CalendarDate; paidOn: CalendarDate },
): { interest: Cents; fine: Cents } {
  const none = cents(0);
  if (paidOn <= businessDayOnOrAfter(dueDate)) return { interest: none, fine: none };
  const { interest, fine } = terms;
  return {
    interest: interest ? interestOver(amount, interest, dueDate, paidOn) : none,
    fine: !fine ? none : isFixed(fine.type) ? cents(fine.value) : share(amount, fine.value),
  };
}

function interestOver(
  amount: Cents,
  { type, value }: Rate<InterestType>,
  dueDate: CalendarDate,
  paidOn: CalendarDate,
): Cents {
  const days = type.includes("working") ? workingDaysAfter(dueDate, paidOn) : daysBetween(dueDate, paidOn);
  return isFixed(type) ? cents(value * days) : share(amount, value, days, periods[type]);
}
