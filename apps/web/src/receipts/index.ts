/** Parts that other features use. */
export { askForReceipts, askForReceiptsOf } from "./api.ts";
export { AskReceiptsDialog } from "./ask-receipts-dialog.tsx";
export { receiptFileName } from "./file-name.ts";
export { ReceiptButton } from "./receipt-button.tsx";
export { ReceiptsFailedDialog } from "./receipts-failed-dialog.tsx";
export { saveReceipt } from "./save-receipt.ts";
