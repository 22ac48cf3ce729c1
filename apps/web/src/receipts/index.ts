/** What other features take from here. */
export { askForReceipts } from "./api.ts";
export { ReceiptButton } from "./receipt-button.tsx";
export { ReceiptsFailedDialog } from "./receipts-failed-dialog.tsx";
