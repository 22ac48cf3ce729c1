import * as contracts from "@malote/contracts/receipts";
import { downloadExport } from "../exports/index.ts";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { downloadOfBank, downloadOne } from "./download.ts";
import { emailPayees, enqueuePayeeEmails } from "./email-payees.ts";
import { readReceipts, receiptsKind, requestReceipts } from "./kind.ts";

export function receiptRoutes({ serve, serveOutside }: Serve, services: Services): void {
  serveOutside(contracts.downloadReceipt, { queue: "company" }, (call) => downloadOne(services, call));
  serveOutside(contracts.downloadBankReceipt, { queue: "company" }, (call) => downloadOfBank(services, call));
  serve(contracts.requestReceipts, (tx, call) => requestReceipts(tx, call, services.jobs));
  serve(contracts.requestBoletoReceipts, (tx, call) => requestReceipts(tx, call, services.jobs));
  serve(contracts.readReceipts, readReceipts);
  serveOutside(contracts.downloadReceipts, { queue: "none" }, (call) =>
    downloadExport(services, call, [receiptsKind]),
  );
}

declare module "../platform/jobs/jobs.ts" {
  interface JobData {
    "email-payees": { companyId: string; paymentIds: string[] };
  }
}

export const receiptsFeature: Feature = {
  routes: receiptRoutes,
  jobs: {
    "email-payees": { concurrencyMax: 1, tries: 20, retryDelaySecondsMax: 30, run: emailPayees },
  },
  subscribers: [
    subscriber({
      name: "payee-emails",
      on: ["payment.settled", "payment.finished"],
      handle: enqueuePayeeEmails,
    }),
  ],
  exports: [receiptsKind],
};
