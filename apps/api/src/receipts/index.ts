/** What other features may ask of receipts. */
export { sendReceipt } from "./download.ts";
export { makeReceipts } from "./make.ts";
export { printable } from "./printable.ts";
export { readIssuer } from "./printed.ts";
export { tidyReceipts } from "./tidy.ts";
