/** Invoice of a company for the payments of a month (decision 0017). */
import { addDays, businessDayOnOrAfter, type CalendarDate, saoPauloDate, startOfDay } from "./calendar.ts";
import { hourMs } from "./durations.ts";

export const invoiceStatuses = ["open", "paid", "overdue", "protested"] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** The day of the next month on which an invoice is due, or the first business day after it. */
const dueDay = 10;
/** Reports about the last minutes of a month may arrive after midnight, so the month closes later. */
const closingDelayMs = 6 * hourMs;

/** Returns the first day of a day's month. */
export const monthOf = (day: CalendarDate): CalendarDate => `${day.slice(0, 8)}01` as CalendarDate;

/** Returns the first day of the next month. */
export const monthAfter = (month: CalendarDate): CalendarDate => monthOf(addDays(monthOf(month), 31));

/** Returns the first day of the previous month. */
export const monthBefore = (month: CalendarDate): CalendarDate => monthOf(addDays(monthOf(month), -1));

/** Returns the month that is still open: the previous one until 06:00 on the first day, in São Paulo. */
export const monthStillOpen = (now: Date): CalendarDate =>
  monthOf(saoPauloDate(new Date(now.getTime() - closingDelayMs)));

/** Returns the moment at which a month's payments are counted. */
export const closingOf = (month: CalendarDate): Date =>
  new Date(startOfDay(monthAfter(month)).getTime() + closingDelayMs);

export const invoiceDueDate = (month: CalendarDate): CalendarDate =>
  businessDayOnOrAfter(addDays(monthAfter(month), dueDay - 1));

export interface InvoiceFacts {
  dueDate: CalendarDate;
  isPaid: boolean;
  isProtested: boolean;
}

/** Returns the status of an invoice; a payment on the due date is in time. */
export function invoiceStatus(
  { dueDate, isPaid, isProtested }: InvoiceFacts,
  today: CalendarDate,
): InvoiceStatus {
  if (isPaid) return "paid";
  if (isProtested) return "protested";
  return today > dueDate ? "overdue" : "open";
}

/** True for an overdue invoice, protested or not (COM-028). */
export const isLate = (status: InvoiceStatus): boolean => status === "overdue" || status === "protested";

export type ProtestRefusal = "invoice_paid" | "invoice_not_overdue";

/** Returns the refusal of a protest; only an overdue invoice may be protested. Undefined: it may be, or already is. */
export function refusalOfProtest(status: InvoiceStatus): ProtestRefusal | undefined {
  if (status === "paid") return "invoice_paid";
  return status === "open" ? "invoice_not_overdue" : undefined;
}
