/** Interface of payouts for other features: batches and their payments, from the draft to the corrected failure. */

export { settleBatch } from "./batches/life-store.ts";
export { releaseBatchLimits } from "./batches/limits.ts";
export {
  findBatchOfPayment,
  listPayees,
  type PayeeRow,
  readBatchValues,
  readPayeesByPayment,
} from "./batches/payee-store.ts";
export { listForReport, type PeriodRow } from "./batches/period-report.ts";
export { fundWaitingBatches, releaseClosedBatch } from "./batches/release.ts";
export type { ImportedReceivers } from "./batches/remove.ts";
export { type ReportedPayment, reportColumns, reportHeadings, reportRow } from "./batches/report-rows.ts";
export { payeeOf } from "./batches/return-payments.ts";
export {
  findBatch,
  hasAnyBatch,
  lockBatch,
  type SystemBatchType,
  sumWaiting,
  systemBatchTypeOf,
} from "./batches/store.ts";
export { insertSystemBatch } from "./batches/system-batch.ts";
export { findBatchName, listBatchesBeingPaid, readBatchNames, sumUpcoming } from "./batches/work-store.ts";
export { invalidateFindings } from "./checks/findings-store.ts";
export { sqlDestination, sqlIsOfKind } from "./column-lists.ts";
export { executeCorrection } from "./corrections/execute.ts";
export { importSheet } from "./import/import-sheet.ts";
export { consumeQueries, returnTokens, settleQueries } from "./lookups/store.ts";
export { readTransferFacts } from "./transfers/facts.ts";
export { bankOf, destinationFrom, knownKeyType } from "./transfers/present.ts";
export {
  type AttemptResult,
  markRefusalsApplied,
  type Refusal,
  recordResubmission,
  saveAnswers,
} from "./under-way/attempt-store.ts";
export {
  findOldestDue,
  findOldestSilent,
  listCompaniesWithDuePayments,
  listCompaniesWithSilentPayments,
} from "./under-way/due-store.ts";
export {
  findOrders,
  findPaymentWithoutOutcome,
  listKnownOrders,
  lockPayment,
  type PaymentWithoutOutcome,
  sqlKnownPayments,
} from "./under-way/known-order-store.ts";
export { findRoute, listRoutes, saveRoute } from "./under-way/routes-store.ts";
export {
  type ClaimedPayment,
  type ConnectionScope,
  claimDue,
  claimOrphans,
  claimSilent,
  correctArrival,
  listBatchIds,
  type MovedPayment,
  moveByOutcome,
  type OrphanedPayment,
  type Outcome,
  sqlIsOfConnection,
} from "./under-way/store.ts";
