/** What other features may ask of transfers. */
export { type DayFacts, dayFacts, type Facts, prepare, readFacts } from "./facts.ts";
export { furtherConditions } from "./list-all.ts";
export { marksOfChange } from "./marks.ts";
export {
  hasBlankslate,
  type ListPlace,
  type Meant,
  meantBy,
  nextOfPeriod,
  type PageStatus,
  type Period,
  pageOfPeriod,
  withReceiptsOfPeriod,
} from "./of-period.ts";
export { bankOf, bankReceiptAddress, destinationFrom, knownKeyType, placeOf, transferOf } from "./present.ts";
export { firstTransfers, isIntegrationIdUsed, transfersWithReceipt } from "./read.ts";
export {
  closesEarly,
  type DraftDelta,
  draftOf,
  expired,
  forbidden,
  hasCharges,
  isDuplicatedBillet,
  isOverdueBillet,
  markReturned,
  markUnscheduled,
  type StoredIssue,
  type TransferRow,
  transferColumns,
  writeDraftTransfers,
} from "./store.ts";
export { removeFromDraft, writeToDraft } from "./write.ts";
