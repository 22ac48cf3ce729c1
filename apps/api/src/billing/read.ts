/** The company's invoices for its admins. Whether one is late is computed from the clock, never stored. */
import type { Invoice } from "@malote/contracts/billing";
import { saoPauloDate } from "@malote/domain/calendar";
import { type InvoiceStatus, invoiceStatus, isLate } from "@malote/domain/invoice";
import { readCompany } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { countUnpaid, type InvoiceRow, listInvoices, listUnpaid } from "./store.ts";

export const statusAt = (row: InvoiceRow, now: Date): InvoiceStatus =>
  invoiceStatus(
    { dueDate: row.due_date, isPaid: row.paid_at !== null, isProtested: row.protested_at !== null },
    saoPauloDate(now),
  );

const invoiceOf = (row: InvoiceRow, now: Date): Invoice => ({
  id: row.id,
  billing_period_start: row.billing_period_start,
  amount_of_transfers: row.amount_of_transfers,
  total: row.total,
  status: statusAt(row, now),
  due_date: row.due_date,
  electronic_invoice_url: row.electronic_invoice_url,
  ticket_url: row.ticket_url,
  has_report: row.has_report,
});

/** COM-004: invoices are visible only where finance is shown. */
const readShowsFinance = async (tx: Tx): Promise<boolean> => (await readCompany(tx)).settings.showFinanceInfo;

export async function requireFinance(tx: Tx): Promise<void> {
  if (!(await readShowsFinance(tx))) throw new AppError("forbidden");
}

export async function readHistory(tx: Tx, now: Date): Promise<Invoice[]> {
  await requireFinance(tx);
  return (await listInvoices(tx)).map((row) => invoiceOf(row, now));
}

/** Returns every closed invoice that is not paid, the earliest due date first. */
export async function readUnpaid(tx: Tx, now: Date): Promise<Invoice[]> {
  if (!(await readShowsFinance(tx))) return [];
  return (await listUnpaid(tx)).map((row) => invoiceOf(row, now));
}

/** Counts the invoices that `readUnpaid` returns. */
export const countToPay = async (tx: Tx): Promise<number> =>
  (await readShowsFinance(tx)) ? countUnpaid(tx) : 0;

export const anyLate = (invoices: readonly Invoice[]): boolean =>
  invoices.some(({ status }) => isLate(status));
