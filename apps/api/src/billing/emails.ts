/** Subscriber that sends the link to an invoice's report to the person who requested it. */
import type { CalendarDate } from "@malote/domain/calendar";
import { queueEmail, written } from "../emails/index.ts";
import { findPerson } from "../identities/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import type { Services } from "../platform/services.ts";
import { findInvoiceOfMonth } from "./store.ts";

export async function emailAboutInvoices(
  tx: Tx,
  events: readonly StoredEvent<"invoice.report_requested">[],
  services: Pick<Services, "clock" | "config" | "jobs">,
): Promise<void> {
  for (const { id: eventId, payload } of events) {
    const to = await findPerson(tx, payload.by);
    const invoice = await findInvoiceOfMonth(tx, payload.month as CalendarDate);
    if (!to || !invoice) continue;
    const { amount_of_transfers: payments, total } = invoice;
    const email = written("invoiceReportReady", { month: payload.month, payments, total });
    await queueEmail(tx, services, email, { to, now: services.clock.now(), eventId });
  }
}
