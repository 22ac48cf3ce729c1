import * as batchIssues from "@malote/contracts/batch-issues";
import * as batchLife from "@malote/contracts/batch-life";
import * as contracts from "@malote/contracts/batches";
import { confirmBatchChecks, readBatchChecks, readCheckFindings } from "@malote/contracts/checks";
import { bases } from "@malote/contracts/contract";
import { listLookupFindings } from "@malote/contracts/lookups";
import { lookupFindingText } from "@malote/domain/lookup-findings";
import { recordReportCheckpoint } from "../../company/index.ts";
import { subscriber } from "../../platform/events/subscriber.ts";
import { type Feature, usualPauseMs } from "../../platform/feature.ts";
import type { Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { boletoKind } from "../boletos/listed.ts";
import { paymentsOf } from "../checks/store.ts";
import { listWithReceipt } from "../lists/lists.ts";
import { readCharges } from "../lookups/ask-codes.ts";
import { readLookupFindings } from "../lookups/findings.ts";
import { transferKind } from "../transfers/listed.ts";
import { enableEdit, readApprovalsFor, reproveBatch, sendToApproval } from "./approval.ts";
import { cancelScheduled, reconcileBatch } from "./cancel.ts";
import * as checks from "./checks.ts";
import { approveBatch, closeBatch } from "./close.ts";
import { createBatch, renameBatch, saveBatch } from "./edit.ts";
import { emailAboutBatches, emailFailures, scheduleFailureNotices } from "./emails.ts";
import { fixIssueGroup, listIssueGroups, listIssueRows } from "./issues.ts";
import { lookUpDraft, lookUpOldDrafts } from "./look-up-draft.ts";
import { measurePendingBatches } from "./measure-pending.ts";
import {
  getBatch,
  getBatchOfType,
  listBatches,
  listWaiting,
  readBatch,
  readSummary,
  validateBatch,
} from "./read.ts";
import { releaseClosedBatch, releaseOverdueBatches } from "./release.ts";
import { downloadReport } from "./report.ts";
import { hasAnyBatch } from "./store.ts";
import { batchWork } from "./work.ts";

function batchRoutes({ serve, serveAsking, serveOutside }: Serve, services: Services): void {
  serve(contracts.listBatches, listBatches);
  serve(contracts.readBatch, readBatch);
  serve(contracts.readBatchSummary, readSummary);
  serve(contracts.validateBatch, validateBatch);
  serveOutside(readBatchChecks, { queue: "company" }, (call) => checks.readBatchChecks(services, call));
  serveOutside(readCheckFindings, { queue: "company" }, (call) => checks.readFindingsPage(services, call));
  serve(confirmBatchChecks, checks.confirmChecksOfBatch);
  serve(listLookupFindings, async (tx, { params, now }) => {
    const batch = await getBatch(tx, params.id);
    const findings = await readLookupFindings(tx, paymentsOf(tx, batch.id).rows, now);
    return {
      data: findings.map((finding) => ({
        payment_id: finding.paymentId,
        code: finding.code,
        text: lookupFindingText(finding),
      })),
    };
  });
  serve(contracts.listWaitingBatches, listWaiting);
  serve(contracts.readBatchesBlankslate, async (tx) => ({ data: !(await hasAnyBatch(tx)) }));
  serve(contracts.readHasFailed, async (tx, { params }) => {
    const batch = await getBatch(tx, params.id);
    return { data: batch.failed_count + batch.returned_count > 0 };
  });
  serveAsking(
    contracts.createBatch,
    ({ body }) => readCharges(services, body.transfers ?? []),
    (tx, call, charges) => createBatch(tx, call, charges, services.jobs),
  );
  serve(contracts.renameBatch, renameBatch);
  serveAsking(
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
  serve(batchLife.reproveBatch, (tx, call) => reproveBatch(tx, call, services.jobs));
  serve(batchLife.enableBatchEdit, (tx, call) => enableEdit(tx, call, services.jobs));
  serve(batchIssues.listIssueGroups, listIssueGroups);
  serve(batchIssues.listIssueRows, listIssueRows);
  serve(batchIssues.fixIssueGroup, fixIssueGroup);
  serve(contracts.requestBatchReport, async (tx, call) => {
    const batch = await getBatch(tx, call.params.id);
    await recordReportCheckpoint(tx, call);
    return { url: `${bases.payments}/batch/${batch.id}/report` };
  });
  serveOutside(contracts.downloadBatchReport, { queue: "none" }, (call) => downloadReport(services, call));
  serve(contracts.listTransfersWithReceipt, async (tx, { params, query, now }) => {
    const batch = await getBatchOfType(tx, params.id, "TRANSFER");
    return listWithReceipt(tx, transferKind, batch.id, query.page, now);
  });
  serve(contracts.listBilletsWithReceipt, async (tx, { params, query, now }) => {
    const batch = await getBatchOfType(tx, params.id, "BILLET");
    return listWithReceipt(tx, boletoKind, batch.id, query.page, now);
  });
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
