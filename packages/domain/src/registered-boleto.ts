/** Registration of a boleto at the clearing house, and its price on a day. */
import { businessDayOnOrAfter, type CalendarDate, daysBetween } from "./calendar.ts";
import { type Cents, cents } from "./money.ts";

export interface RegisteredBoleto {
  beneficiary: { name: string; taxId: string };
  /** The issued value, before additions and deductions. */
  value: Cents;
  dueDate: CalendarDate | null;
  /** The last day on which it is accepted; null: no limit. */
  limitDate: CalendarDate | null;
  /** Charged once, from the first day of delay, in hundredths of a per cent of the value. */
  fineBasisPoints: number;
  /** Charged per thirty days of delay, in hundredths of a per cent of the value, counted by the day. */
  interestBasisPoints: number;
  /** Deducted when it is paid by its day. */
  discount: { amount: Cents; until: CalendarDate } | null;
  abatement: Cents;
}

/** Outcome of a lookup in the register. `silent`: it did not answer. `unpayable`: registered and no longer accepted. */
export const boletoOutcomes = ["payable", "paid", "unpayable", "not_registered", "silent"] as const;
export type BoletoOutcome = (typeof boletoOutcomes)[number];

export interface AmountDue {
  total: Cents;
  fine: Cents;
  interest: Cents;
  discount: Cents;
  abatement: Cents;
  /** Days after the due date, once that day's business day has passed; else 0. */
  daysLate: number;
  /** The last day of this total; null: no limit. */
  until: CalendarDate | null;
}

/** Returns a fraction of the value, half up. */
const share = (value: Cents, parts: number, of: number): Cents =>
  cents(Number((BigInt(value) * BigInt(parts) * 2n + BigInt(of)) / (2n * BigInt(of))));

const wholeBasisPoints = 10_000;
const interestMonthDays = 30;

/** Returns the price on a business day. A due date without settlement moves to the next day with it, free of charge. */
export function amountDue(boleto: RegisteredBoleto, day: CalendarDate): AmountDue {
  const { value, dueDate, limitDate, abatement } = boleto;
  const dueUntil = dueDate && businessDayOnOrAfter(dueDate);
  const daysLate = dueDate && dueUntil && day > dueUntil ? daysBetween(dueDate, day) : 0;
  const fine = daysLate > 0 ? share(value, boleto.fineBasisPoints, wholeBasisPoints) : cents(0);
  const interest = share(value, boleto.interestBasisPoints * daysLate, wholeBasisPoints * interestMonthDays);
  const discounted = boleto.discount !== null && daysLate === 0 && day <= boleto.discount.until;
  const discount = discounted && boleto.discount ? boleto.discount.amount : cents(0);
  const until =
    discounted && boleto.discount
      ? boleto.discount.until
      : daysLate === 0
        ? dueUntil
        : interest > 0
          ? day
          : limitDate;
  const total = cents(Math.max(0, value + fine + interest - discount - abatement));
  return { total, fine, interest, discount, abatement, daysLate, until };
}

/** Returns whether it is still accepted on that day. */
export const isTakenOn = ({ limitDate }: RegisteredBoleto, day: CalendarDate): boolean =>
  limitDate === null || day <= businessDayOnOrAfter(limitDate);
