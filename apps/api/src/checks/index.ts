/** What batches and payments ask of the checks before paying. */
export {
  checkLines,
  confirm,
  isKept,
  notesAgain,
  type People,
  readChecks,
  requireConfirmed,
  requireConfirmedAgain,
} from "./check.ts";
export { forgetOldChanges, notePaymentsChanged, paymentsOf, type SentAgain } from "./store.ts";
