/** Functions of receipts that other features may call. */
export { receiptAttachment, sendBankReceipt, sendPage, sendReceipt } from "./download.ts";
export { emailPayees } from "./email-payees.ts";
export { printable } from "./printable.ts";
export { readIssuer } from "./printed.ts";
