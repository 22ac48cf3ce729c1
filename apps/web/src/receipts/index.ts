/** Parts that other features use. */
export { requestReceiptsOf, requestReceiptsOfBatch } from "./api.ts";
export { receiptFileName } from "./file-name.ts";
export { ReceiptButton } from "./receipt-button.tsx";
export { ReceiptsFailedDialog } from "./receipts-failed-dialog.tsx";
export { RequestReceiptsDialog } from "./request-receipts-dialog.tsx";
export { saveReceipt } from "./save-receipt.ts";
