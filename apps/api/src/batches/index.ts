/** What other features may ask of batches. */
export { getDraft, getLockedBatch, requireCorrector } from "./edit.ts";
export { giveBack } from "./give-back.ts";
export { insertLonePayment } from "./lone-payments.ts";
export { payWaitingBatches, releaseClosedBatch, tedMoment } from "./release.ts";
export { type ReportedPayment, reportHeadings, reportRow } from "./report-rows.ts";
export {
  addImportedRows,
  type BatchRow,
  growBatch,
  insertBatch,
  insertImportedBatch,
  type LoneType,
  lockBatch,
  loneTypeOf,
  noteImportedTotals,
  settleBatch,
  waitingValue,
} from "./store.ts";
