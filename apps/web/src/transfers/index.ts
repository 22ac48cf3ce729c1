/** What the batch's screen takes from here; what opens arrives when it is opened. */
import { lazy } from "react";

export {
  transferPageQuery,
  transferQuery,
  useRemoveTransfers,
} from "./api.ts";
export { BankSelect, BankSelectOf } from "./bank-select.tsx";
export {
  accountNumber,
  accountTypeName,
  pixKeyTypeNames,
  receiverName,
} from "./destination-text.ts";
export { TransferList } from "./transfer-list.tsx";
export { filterWords } from "./transfer-status.ts";

export const TransferWizard = lazy(() => import("./transfer-wizard.tsx"));
export const TransferDetailsDialog = lazy(() => import("./transfer-details-dialog.tsx"));
export const RepairPanel = lazy(() => import("./repair-panel.tsx"));
export const RefundDialog = lazy(() => import("./refund-dialog.tsx"));
