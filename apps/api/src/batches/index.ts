/** What other features may ask of batches. */
export { requireTicksAgain } from "./checks.ts";
export { getDraft, getLockedBatch, removeUntouchedImport, requireCorrector, requireGiver } from "./edit.ts";
export { giveBack, payeeOf } from "./give-back.ts";
export { tedMoment } from "./limits.ts";
export { getBatch } from "./read.ts";
export { payWaitingBatches, releaseClosedBatch } from "./release.ts";
export { type ReportedPayment, reportColumns, reportHeadings, reportRow } from "./report-rows.ts";
export {
  addImportedRows,
  applyContentChange,
  type BatchRow,
  companiesWithPayableBatches,
  insertBatch,
  insertImportedBatch,
  keepingApprovals,
  lockBatch,
  noteImportedTotals,
  noteRechecked,
  type SystemBatchType,
  settleBatch,
  systemBatchTypeOf,
  waitingValue,
} from "./store.ts";
export { insertSystemBatch } from "./system-batch.ts";
