import * as contracts from "@malote/contracts/batches";
import { bases } from "@malote/contracts/contract";
import { billetsWithReceipt } from "../billets/index.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { transfersWithReceipt } from "../transfers/index.ts";
import { enableEdit, reprove, sendToApproval } from "./approval.ts";
import { cancelScheduled, reconcile } from "./cancel.ts";
import { close } from "./close.ts";
import { create, receiversToRemove, remove, rename, save } from "./edit.ts";
import { fix, groups } from "./issues.ts";
import { getBatch, getBatchOf, list, listWaiting, read, summary, validate } from "./read.ts";
import { downloadBad, downloadReport } from "./report.ts";
import { anyBatch } from "./store.ts";

export function batchRoutes({ serve, serveOutside }: Serve, parts: Parts): void {
  serve(contracts.listBatches, list);
  serve(contracts.readBatch, read);
  serve(contracts.readBatchSummary, summary);
  serve(contracts.validateBatch, validate);
  serve(contracts.listWaitingBatches, listWaiting);
  serve(contracts.readBatchesBlankslate, async (tx) => ({ data: !(await anyBatch(tx)) }));
  serve(contracts.readHasFailed, async (tx, { params }) => {
    const batch = await getBatch(tx, params.id);
    return { data: batch.failed_count + batch.returned_count > 0 };
  });
  serve(contracts.createBatch, create);
  serve(contracts.renameBatch, rename);
  serve(contracts.saveBatch, save);
  serve(contracts.deleteBatch, (tx, call) => remove(tx, call, parts.jobs));
  serve(contracts.readReceiversToRemove, receiversToRemove);
  serve(contracts.cancelScheduledBatch, (tx, call) => cancelScheduled(tx, call, parts.jobs));
  serve(contracts.setBatchReconciled, reconcile);
  serve(contracts.closeBatch, (tx, call) => close(tx, call, parts.jobs));
  serve(contracts.sendBatchToApproval, (tx, call) => sendToApproval(tx, call, parts));
  serve(contracts.reproveBatch, (tx, call) => reprove(tx, call, parts));
  serve(contracts.enableBatchEdit, (tx, call) => enableEdit(tx, call, parts.jobs));
  serve(contracts.listIssueGroups, groups);
  serve(contracts.fixIssueGroup, fix);
  serveOutside(contracts.downloadBadRows, (call) => downloadBad(parts, call));
  serve(contracts.requestBatchReport, async (tx, { params }) => {
    const batch = await getBatch(tx, params.id);
    return { url: `${bases.payments}/batch/${batch.id}/report` };
  });
  serveOutside(contracts.downloadBatchReport, (call) => downloadReport(parts, call));
  serve(contracts.listTransfersWithReceipt, async (tx, { params, query, now }) => {
    const batch = await getBatchOf(tx, params.id, "TRANSFER");
    return transfersWithReceipt(tx, batch.id, query.page, now);
  });
  serve(contracts.listBilletsWithReceipt, async (tx, { params, query, now }) => {
    const batch = await getBatchOf(tx, params.id, "BILLET");
    return billetsWithReceipt(tx, batch.id, query.page, now);
  });
}
