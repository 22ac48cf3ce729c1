/** Functions of receipts that other features may call. */
export { readReceiptAttachment, sendBankReceipt, sendPage, sendReceipt } from "./download.ts";
export { emailPayees } from "./email-payees.ts";
export { printable } from "./printable.ts";
export { readIssuer } from "./printed.ts";
