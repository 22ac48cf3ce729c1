/**
 * Invoices of months before the demonstration began, added like imports from another system. One company owes nothing.
 */
import { addDays, businessDayOnOrAfter, type CalendarDate, saoPauloDate } from "@malote/domain/calendar";
import { dayMs } from "@malote/domain/durations";
import { closingOf, invoiceDueDate, monthBefore, monthStillOpen } from "@malote/domain/invoice";
import { sql } from "kysely";
import { lockAccount, moveAccount } from "../../../billing/index.ts";
import { demoPaymentPriceCents } from "../../../platform/config.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { uuidv7 } from "../../../platform/uuid.ts";
import { documentsOf } from "../simulator/invoices.ts";

export interface DemoInvoice {
  payments: number;
  state: "open" | "overdue" | "protested" | "paid";
}

/** Adds one invoice per month, newest first. */
export async function addInvoices(tx: Tx, invoices: readonly DemoInvoice[], now: Date): Promise<void> {
  let month = monthStillOpen(now);
  // The month has a price from the start, even when the clock is moved before the worker's first run.
  await moveAccount(tx, { ...(await lockAccount(tx, month)), has_price: true });
  for (const { payments, state } of invoices) {
    month = monthBefore(month);
    const closedAt = closingOf(month);
    const id = uuidv7(closedAt.getTime());
    const dueDate = dueDateOf(month, state, now);
    const paidAt = state === "paid" ? new Date(closedAt.getTime() + 5 * dayMs) : null;
    const protestedAt = state === "protested" ? now : null;
    const { electronicInvoiceUrl, ticketUrl } = documentsOf(id);
    await sql`
      INSERT INTO invoices (company_id, id, billing_period_start, amount_of_transfers, price_per_transfer, total, due_date,
        closed_at, paid_at, protested_at, electronic_invoice_url, ticket_url)
      VALUES (${tx.companyId}, ${id}, ${month}, ${payments}, ${demoPaymentPriceCents}, ${payments * demoPaymentPriceCents},
        ${dueDate}, ${closedAt}, ${paidAt}, ${protestedAt}, ${electronicInvoiceUrl}, ${ticketUrl})
    `.execute(tx);
  }
}

/** Returns the due date of a demo invoice. An open invoice is due some days from now, on any day of the month. */
function dueDateOf(month: CalendarDate, state: DemoInvoice["state"], now: Date): CalendarDate {
  const today = saoPauloDate(now);
  if (state === "open") return businessDayOnOrAfter(addDays(today, 10));
  const due = invoiceDueDate(month);
  return due < today ? due : addDays(today, -1);
}
