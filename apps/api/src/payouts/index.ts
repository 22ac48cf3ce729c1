/** Interface of payouts for other features: batches and their payments, from the draft to the corrected failure. */
export { payeeOf } from "./batches/give-back.ts";
export { settleBatch } from "./batches/life-store.ts";
export { tedMoment } from "./batches/limits.ts";
export { payWaitingBatches, releaseClosedBatch } from "./batches/release.ts";
export { type ImportedReceivers, removalRoutes } from "./batches/remove.ts";
export { type ReportedPayment, reportColumns, reportHeadings, reportRow } from "./batches/report-rows.ts";
export {
  companiesWithPayableBatches,
  lockBatch,
  type SystemBatchType,
  systemBatchTypeOf,
  waitingValue,
} from "./batches/store.ts";
export { insertSystemBatch } from "./batches/system-batch.ts";
export { findBatchesBeingPaid, sumUpcoming } from "./batches/work-store.ts";
export { notePaymentsChanged } from "./checks/kept.ts";
export { carryOutCorrection } from "./corrections/carry-out.ts";
export { importSheet } from "./import/import-sheet.ts";
export {
  filterByStatus,
  type ListPlace,
  nextByPeriod,
  type PaymentFilter,
  type Period,
} from "./lists/by-period-store.ts";
export { searchAndBankCondition } from "./lists/lists.ts";
export { giveTokensBack } from "./lookups/store.ts";
export { sqlIsPayeeBlocked } from "./rules/rules-sql.ts";
export { readFacts } from "./transfers/facts.ts";
export { transferKind } from "./transfers/listed.ts";
export { bankOf, destinationFrom, knownKeyType } from "./transfers/present.ts";
export { type TransferRow, transferColumns } from "./transfers/store.ts";
