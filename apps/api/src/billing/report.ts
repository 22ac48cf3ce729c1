/**
 * The payments that an invoice counted, as a sheet (COM-032). They never change, so the sheet is written while it is
 * downloaded, some rows at a time: a month may have more payments than fit into memory or a workbook.
 */
import type * as contracts from "@malote/contracts/billing";
import type { CalendarDate } from "@malote/domain/calendar";
import { recordReportCheckpoint } from "../company/index.ts";
import { streamCsv } from "../exports/index.ts";
import { reportHeadings, reportRow } from "../payouts/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import type { Call, SteppedCall } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { requireFinance } from "./read.ts";
import { type CountedPayment, findInvoiceOfMonth, type InvoiceRow, listNextCounted } from "./store.ts";

const rowsAtOnce = 1_000;

const headings = [
  "Lote",
  ...reportHeadings.map((heading) => (heading === "Chave Pix" ? "Chave Pix ou linha digitável" : heading)),
];

/** Returns the invoice of the month if its counted payments are known here: an imported invoice has none. */
async function getCounted(tx: Tx, month: string): Promise<InvoiceRow> {
  await requireFinance(tx);
  const invoice = await findInvoiceOfMonth(tx, month as CalendarDate);
  if (!invoice) throw new AppError("not_found");
  if (!invoice.has_report) throw new AppError("invoice_uncounted");
  return invoice;
}

export async function requestMonthlyReport(
  services: Services,
  call: Call<typeof contracts.requestMonthlyReport>,
) {
  await services.db.withCompany(call.actor.companyId, async (tx) => {
    const invoice = await getCounted(tx, call.query.date);
    await emit(tx, emissionOf(call), {
      type: "invoice.report_requested",
      objectId: invoice.id,
      payload: { by: call.actor.id, month: invoice.billing_period_start },
    });
    await audit(tx, call, "invoice_report_requested", invoice.id, { month: invoice.billing_period_start });
    await recordReportCheckpoint(tx, call);
  });
  return { ok: true as const };
}

export const downloadMonthlyReport = (
  services: Services,
  call: SteppedCall<typeof contracts.downloadMonthlyReport>,
) =>
  streamCsv<CountedPayment>(services.db, call, async () => {
    const invoice = await services.db.withCompany(call.actor.companyId, async (tx) => {
      const found = await getCounted(tx, call.query.date);
      await audit(tx, call, "invoice_report_downloaded", found.id, { month: found.billing_period_start });
      return found;
    });
    return {
      fileName: `Pagamentos ${invoice.billing_period_start.slice(0, 7)}.csv`,
      headings,
      readAfter: (tx, last) => listNextCounted(tx, invoice.id, last?.counted_position ?? 0, rowsAtOnce),
      cellsOf: (row) => [row.batch_name, ...reportRow(row)],
    };
  });
