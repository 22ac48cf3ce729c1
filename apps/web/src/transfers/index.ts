import { lazyPart } from "../shell/lazy-part.ts";

/** Parts of transfers that the batch's screen uses; dialogs load when they open. */

export {
  failedPaymentsQuery,
  transferQuery,
  useRemoveFailedTransfers,
} from "./api.ts";
export { BankSelect, BankSelectOf } from "./bank-select.tsx";
export {
  accountNumber,
  accountTypeName,
  pixKeyTypeNames,
  receiverName,
} from "./destination-text.ts";
export { filterWords } from "./search.ts";
export { TransferList } from "./transfer-list.tsx";

export { useAccountTypeOptions } from "./use-account-types.ts";

export const TransferWizard = lazyPart(() => import("./transfer-wizard.tsx"));
export const TransferDetailsDialog = lazyPart(() => import("./transfer-details-dialog.tsx"));
export const RepairPanel = lazyPart(() => import("./repair-panel.tsx"));
export const RefundDialog = lazyPart(() => import("./refund-dialog.tsx"));
