import * as batchIssues from "@malote/contracts/batch-issues";
import * as batchLife from "@malote/contracts/batch-life";
import * as contracts from "@malote/contracts/batches";
import { confirmBatchChecks, readBatchChecks, readCheckFindings } from "@malote/contracts/checks";
import { listLookupFindings } from "@malote/contracts/lookups";
import { subscriber } from "../../platform/events/subscriber.ts";
import { type Feature, usualPauseMs } from "../../platform/feature.ts";
import type { Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { readCharges } from "../lookups/ask-codes.ts";
import { enableEdit, readApprovalsFor, rejectBatch, sendToApproval } from "./approval.ts";
import { cancelScheduled, reconcileBatch } from "./cancel.ts";
import * as checks from "./checks.ts";
import { approveBatch, closeBatch } from "./close.ts";
import { createBatch, renameBatch, saveBatch } from "./edit.ts";
import { emailAboutBatches, emailFailures, scheduleFailureNotices } from "./emails.ts";
import { fixIssueGroup, listIssueGroups, listIssueRows } from "./issues.ts";
import { lookUpDraft, lookUpOldDrafts } from "./look-up-draft.ts";
import { measurePendingBatches } from "./measure-pending.ts";
import {
  listBatches,
  listBoletosWithReceipt,
  listTransfersWithReceipt,
  listWaiting,
  readBatch,
  readHasFailed,
  readSummary,
  validateBatch,
} from "./read.ts";
import { releaseClosedBatch, releaseOverdueBatches } from "./release.ts";
import { downloadReport, requestReport } from "./report.ts";
import { hasAnyBatch } from "./store.ts";
import { batchWork } from "./work.ts";

function batchRoutes({ serve, serveWithFacts, serveOutside }: Serve, services: Services): void {
  serve(contracts.listBatches, listBatches);
  serve(contracts.readBatch, readBatch);
  serve(contracts.readBatchSummary, readSummary);
  serve(contracts.validateBatch, validateBatch);
  serveOutside(readBatchChecks, { queue: "company" }, (call) => checks.readBatchChecks(services, call));
  serveOutside(readCheckFindings, { queue: "company" }, (call) => checks.readFindingsPage(services, call));
  serve(confirmBatchChecks, checks.confirmChecksOfBatch);
  serve(listLookupFindings, checks.listFindingsOfLookups);
  serve(contracts.listWaitingBatches, listWaiting);
  serve(contracts.readBatchesBlankslate, async (tx) => ({ data: !(await hasAnyBatch(tx)) }));
  serve(contracts.readHasFailed, readHasFailed);
  serveWithFacts(
    contracts.createBatch,
    ({ body }) => readCharges(services, body.transfers ?? []),
    (tx, call, charges) => createBatch(tx, call, charges, services.jobs),
  );
  serve(contracts.renameBatch, renameBatch);
  serveWithFacts(
    contracts.saveBatch,
    ({ body }) => readCharges(services, body.transfers),
    (tx, call, charges) => saveBatch(tx, call, charges, services.jobs),
  );
  serve(batchLife.cancelScheduledBatch, (tx, call) => cancelScheduled(tx, call, services.jobs));
  serve(batchLife.setBatchReconciled, reconcileBatch);
  serve(batchLife.closeBatch, (tx, call) => closeBatch(tx, call, services.jobs));
  serve(batchLife.approveBatch, (tx, call) => approveBatch(tx, call, services.jobs));
  serve(batchLife.readBatchApprovals, readApprovalsFor);
  serve(batchLife.sendBatchToApproval, sendToApproval);
  serve(batchLife.rejectBatch, (tx, call) => rejectBatch(tx, call, services.jobs));
  serve(batchLife.enableBatchEdit, (tx, call) => enableEdit(tx, call, services.jobs));
  serve(batchIssues.listIssueGroups, listIssueGroups);
  serve(batchIssues.listIssueRows, listIssueRows);
  serve(batchIssues.fixIssueGroup, fixIssueGroup);
  serve(contracts.requestBatchReport, requestReport);
  serveOutside(contracts.downloadBatchReport, { queue: "none" }, (call) => downloadReport(services, call));
  serve(contracts.listTransfersWithReceipt, listTransfersWithReceipt);
  serve(contracts.listBoletosWithReceipt, listBoletosWithReceipt);
}

declare module "../../platform/jobs/jobs.ts" {
  interface JobData {
    "ask-lookups": { companyId: string; batchId: string };
    "close-batch": { companyId: string; batchId: string };
  }
}

export const batchesFeature: Feature = {
  routes: batchRoutes,
  jobs: {
    // Looks up the receivers and boletos of a draft. A lookup without an answer is shown as unknown.
    "ask-lookups": { concurrencyMax: 1, tries: 5, retryDelaySecondsMax: 30, run: lookUpDraft },
    // Releases the payments of a closed batch; the queue keeps its first name, because it may hold jobs at an upgrade.
    // Retries within 2 s, because money waits: a dead worker's job has already waited for the heartbeat timeout.
    "close-batch": { concurrencyMax: 2, tries: 200, retryDelaySecondsMax: 2, run: releaseClosedBatch },
  },
  measure: measurePendingBatches,
  work: batchWork,
  subscribers: [
    subscriber({
      name: "batch-emails",
      on: ["batch.approval_requested", "batch.rejected", "batch.approved", "batch.sent_back"],
      handle: emailAboutBatches,
    }),
    subscriber({ name: "failure-notices", on: ["payment.failed"], handle: scheduleFailureNotices }),
  ],
  schedules: [
    { name: "closing batches whose job was lost", everyMs: usualPauseMs, run: releaseOverdueBatches },
    { name: "looking up old drafts again", everyMs: usualPauseMs, run: lookUpOldDrafts },
    { name: "e-mails about failures", everyMs: usualPauseMs, run: emailFailures },
  ],
};
