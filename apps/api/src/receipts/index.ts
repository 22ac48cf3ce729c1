/** What other features may ask of receipts. */
export { makeReceipts } from "./make.ts";
export { tidyReceipts } from "./tidy.ts";
