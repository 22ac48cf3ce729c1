import * as contracts from "@malote/contracts/receipts";
import { downloadExport } from "../exports/index.ts";
import { subscriber } from "../platform/events/subscriber.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { downloadOfBank, downloadOne } from "./download.ts";
import { emailPayees, noteArrived } from "./email-payees.ts";
import { read, receiptsKind, request } from "./kind.ts";

export function receiptRoutes({ serve, serveOutside }: Serve, parts: Parts): void {
  serveOutside(contracts.downloadReceipt, (call) => call.inLine(() => downloadOne(parts, call)));
  serveOutside(contracts.downloadBankReceipt, (call) => call.inLine(() => downloadOfBank(parts, call)));
  serve(contracts.requestReceipts, (tx, call) => request(tx, call, parts.jobs));
  serve(contracts.requestBilletReceipts, (tx, call) => request(tx, call, parts.jobs));
  serve(contracts.readReceipts, read);
  serveOutside(contracts.downloadReceipts, (call) => downloadExport(parts, call, [receiptsKind]));
}

declare module "../platform/jobs/jobs.ts" {
  interface JobData {
    "email-payees": { companyId: string; paymentIds: string[] };
  }
}

export const feature: Feature = {
  routes: receiptRoutes,
  jobs: {
    "email-payees": { atOnce: 1, tries: 20, restSecondsMax: 30, run: emailPayees },
  },
  subscribers: [
    subscriber({ name: "payee-emails", on: ["payment.settled", "payment.finished"], handle: noteArrived }),
  ],
  exports: [receiptsKind],
};
