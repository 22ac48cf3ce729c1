/** What other features may ask of receipts. */
export { receiptAttachment, sendBankReceipt, sendPage, sendReceipt } from "./download.ts";
export { emailPayees } from "./email-payees.ts";
export { printable } from "./printable.ts";
export { readIssuer } from "./printed.ts";
