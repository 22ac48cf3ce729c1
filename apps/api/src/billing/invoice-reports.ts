/**
 * Reports of the operator's collection system about an invoice: its two documents, its payment, a protest. A repeated
 * report changes nothing.
 */
import { refusalOfProtest } from "@malote/domain/invoice";
import { AppError } from "../platform/app-error.ts";
import { type AuditContext, audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { statusAt } from "./read.ts";
import { lockInvoice, markPaid, markProtested, setDocuments } from "./store.ts";

export type InvoiceReport =
  | { kind: "paid" }
  | { kind: "protested" }
  | { kind: "issued"; electronicInvoiceUrl: string; ticketUrl: string };

export async function recordInvoiceReport(
  tx: Tx,
  id: string,
  report: InvoiceReport,
  acting: AuditContext,
): Promise<void> {
  const invoice = await lockInvoice(tx, id);
  if (!invoice) throw new AppError("not_found");
  const { now } = acting;
  if (report.kind === "issued") {
    const { electronicInvoiceUrl, ticketUrl } = report;
    if (invoice.electronic_invoice_url === electronicInvoiceUrl && invoice.ticket_url === ticketUrl) return;
    await setDocuments(tx, id, report);
  } else if (report.kind === "paid") {
    if (invoice.paid_at) return;
    await markPaid(tx, id, now);
  } else {
    const refusal = refusalOfProtest(statusAt(invoice, now));
    if (refusal) throw new AppError(refusal);
    if (invoice.protested_at) return;
    await markProtested(tx, id, now);
  }
  await audit(tx, acting, `invoice_${report.kind}`, id);
}
