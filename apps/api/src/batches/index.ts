/** What other features may ask of batches. */
export { getDraft, getLockedBatch } from "./edit.ts";
export { giveBack } from "./give-back.ts";
export { payWaitingBatches, releaseClosedBatch, tedMoment } from "./release.ts";
export { type ReportedPayment, reportHeadings, reportRow } from "./report-rows.ts";
export {
  addImportedRows,
  type BatchRow,
  growBatch,
  insertBatch,
  insertImportedBatch,
  isBatch,
  lockBatch,
  noteImportedTotals,
  settleBatch,
  waitingValue,
} from "./store.ts";
export { insertWithdrawal } from "./withdrawals.ts";
