/** What other features may ask of transfers. */
export { type DayFacts, dayFacts, type Facts, prepare, readFacts } from "./facts.ts";
export { transferOf } from "./present.ts";
export { firstTransfers, transfersWithReceipt } from "./read.ts";
export { rememberReceivers } from "./receivers.ts";
export {
  draftOf,
  expired,
  forbidden,
  type StoredIssue,
  type TransferRow,
  transferColumns,
  writeDraftTransfers,
} from "./store.ts";
export { removeFromDraft, writeToDraft } from "./write.ts";
