/** What other features may ask of billets. */
export { billetsWithReceipt, firstBillets } from "./read.ts";
export { billetReportHeadings, billetReportRows, billetWords } from "./report.ts";
export { addImportedBillets, lockBilletCodes, wrongBillets } from "./store.ts";
export { writeBilletsToDraft } from "./write.ts";
