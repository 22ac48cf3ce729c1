import * as contracts from "@malote/contracts/payins";
import { downloadStreamed, readStreamed, requestStreamed } from "../exports/index.ts";
import { subscriber } from "../platform/events/subscriber.ts";
import { type Feature, forEachCompany, usualPauseMs } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { cancelCharges } from "./charge.ts";
import { collectDue, listCompaniesToCollectFor } from "./collect-due.ts";
import { emailOfDoublePayments } from "./emails.ts";
import { type FindInfractions, listPayins, listRefunds, readPayin, readTotals } from "./read.ts";
import { downloadOfPayin, downloadOfRefund } from "./receipts.ts";
import { sendDueRefunds } from "./refund.ts";
import { payinExport } from "./report.ts";
import { refundPayin } from "./request-refund.ts";

function payinRoutes(
  { serve, serveOutside }: Serve,
  services: Services,
  findInfractions: FindInfractions,
): void {
  serve(contracts.listPayins, (tx, call) => listPayins(tx, call, findInfractions));
  serve(contracts.readPayinTotals, readTotals);
  serve(contracts.readPayin, (tx, call) => readPayin(tx, call, findInfractions));
  serveOutside(contracts.downloadPayinReceipt, { queue: "company" }, (call) =>
    downloadOfPayin(services, call),
  );
  serveOutside(contracts.downloadRefundReceipt, { queue: "company" }, (call) =>
    downloadOfRefund(services, call),
  );
  serve(contracts.refundPayin, (tx, call) => refundPayin(tx, call, services));
  serve(contracts.listPayinRefunds, listRefunds);
  serve(contracts.requestPayinReport, (tx, call) => requestStreamed(tx, call, payinExport));
  serve(contracts.readPayinReport, (tx, call) => readStreamed(tx, call, payinExport));
  serveOutside(contracts.downloadPayinReport, { queue: "steps" }, (call) =>
    downloadStreamed(services, call, payinExport),
  );
}

declare module "../platform/jobs/jobs.ts" {
  interface JobData {
    "send-refunds": { companyId: string };
    "cancel-charges": { companyId: string; paymentLinkId: string };
  }
}

/**
 * Payins. `findInfractions` finds the infractions of received Pix; it is a parameter, because the feature
 * `contestations` imports the payins.
 */
export const payinsFeature = (findInfractions: FindInfractions): Feature => ({
  routes: (serve, services) => payinRoutes(serve, services, findInfractions),
  jobs: {
    "send-refunds": { concurrencyMax: 1, tries: 200, retryDelaySecondsMax: 2, run: sendDueRefunds },
    "cancel-charges": { concurrencyMax: 1, tries: 200, retryDelaySecondsMax: 2, run: cancelCharges },
  },
  subscribers: [subscriber({ name: "payin-emails", on: ["payin.doubled"], handle: emailOfDoublePayments })],
  schedules: [
    {
      name: "charges and refunds that are due",
      everyMs: usualPauseMs,
      run: async (services) =>
        forEachCompany(
          services,
          "collecting due charges",
          await listCompaniesToCollectFor(services),
          (companyId) => collectDue(services, { companyId }),
        ),
    },
  ],
  exports: [payinExport],
});
