/** What the batch's screen takes from here; the wizard itself arrives when it is opened. */
export {
  banksQuery,
  type TransferFilter,
  type TransferFilters,
  transferKeys,
  transferPageQuery,
  transferQuery,
  useRemoveTransfers,
} from "./api.ts";
export { pixKeyTypeNames, receiverName } from "./destination-text.ts";
export { TransferList } from "./transfer-list.tsx";
export { failReason, filterWords } from "./transfer-status.ts";
