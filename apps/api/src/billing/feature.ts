import * as contracts from "@malote/contracts/billing";
import { subscriber } from "../platform/events/subscriber.ts";
import { type Feature, forEachCompany, usualPauseMs } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { closeMonths, listCompaniesToCharge } from "./close-months.ts";
import { emailAboutInvoices } from "./emails.ts";
import { anyLate, readHistory, readUnpaid } from "./read.ts";
import { downloadMonthlyReport, requestMonthlyReport } from "./report.ts";
import { invoiceWork } from "./work.ts";

export function billingRoutes({ serve, serveOutside }: Serve, services: Services): void {
  serve(contracts.listInvoices, async (tx, { now }) => ({ data: await readHistory(tx, now) }));
  serve(contracts.readHasPayRequest, async (tx, { now }) => ({
    data: (await readUnpaid(tx, now)).length > 0,
  }));
  serve(contracts.readPayRequest, async (tx, { now }) => ({ data: (await readUnpaid(tx, now))[0] ?? null }));
  serve(contracts.readHasOverdue, async (tx, { now }) => ({ data: anyLate(await readUnpaid(tx, now)) }));
  // The handler writes an e-mail although the method is GET.
  serveOutside(contracts.requestMonthlyReport, { queue: "none" }, (call) =>
    requestMonthlyReport(services, call),
  );
  serveOutside(contracts.downloadMonthlyReport, { queue: "steps" }, (call) =>
    downloadMonthlyReport(services, call),
  );
}

export const billingFeature: Feature = {
  routes: billingRoutes,
  subscribers: [
    subscriber({ name: "invoice-emails", on: ["invoice.report_requested"], handle: emailAboutInvoices }),
  ],
  work: [invoiceWork],
  schedules: [
    {
      name: "closing months",
      everyMs: usualPauseMs,
      run: async (services) =>
        forEachCompany(services, "closing the months", await listCompaniesToCharge(services), (companyId) =>
          closeMonths(services, { companyId }),
        ),
    },
  ],
};
