/** What a company owes for the payments of a month (decision 0017). */
import { addDays, businessDayOnOrAfter, type CalendarDate, saoPauloDate, startOfDay } from "./calendar.ts";
import { hourMs } from "./durations.ts";

export const invoiceStatuses = ["open", "paid", "overdue", "protested"] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** The day of the next month by which it is to be paid, or the first business day after it. */
const dueDay = 10;
/** Reports about the last minutes of a month may still arrive after midnight; until then the month is not closed. */
const closingDelayMs = 6 * hourMs;

/** The first day of the month a day is in. */
export const monthOf = (day: CalendarDate): CalendarDate => `${day.slice(0, 8)}01` as CalendarDate;

/** The first day of the next month. */
export const monthAfter = (month: CalendarDate): CalendarDate => monthOf(addDays(monthOf(month), 31));

/** The first day of the last month. */
export const monthBefore = (month: CalendarDate): CalendarDate => monthOf(addDays(monthOf(month), -1));

/** The month still being counted: the earlier one until 06:00 of the first day, by the clock of São Paulo. */
export const monthStillOpen = (now: Date): CalendarDate =>
  monthOf(saoPauloDate(new Date(now.getTime() - closingDelayMs)));

/** When a month's payments are counted. */
export const closingOf = (month: CalendarDate): Date =>
  new Date(startOfDay(monthAfter(month)).getTime() + closingDelayMs);

export const invoiceDueDate = (month: CalendarDate): CalendarDate =>
  businessDayOnOrAfter(addDays(monthAfter(month), dueDay - 1));

export interface InvoiceFacts {
  dueDate: CalendarDate;
  isPaid: boolean;
  isProtested: boolean;
}

/** The due date itself is in time. */
export function invoiceStatus(
  { dueDate, isPaid, isProtested }: InvoiceFacts,
  today: CalendarDate,
): InvoiceStatus {
  if (isPaid) return "paid";
  if (isProtested) return "protested";
  return today > dueDate ? "overdue" : "open";
}

/** Late, whether or not a registry was notified (COM-028). */
export const isLate = (status: InvoiceStatus): boolean => status === "overdue" || status === "protested";

export type ProtestRefusal = "invoice_paid" | "invoice_not_overdue";

/** Only an overdue invoice may be protested. Undefined: it may be, or is already. */
export function refusalOfProtest(status: InvoiceStatus): ProtestRefusal | undefined {
  if (status === "paid") return "invoice_paid";
  return status === "open" ? "invoice_not_overdue" : undefined;
}
