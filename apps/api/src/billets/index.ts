/** What other features may ask of billets. */
export { billetsShown, fixDraftBillets } from "./bulk-fix.ts";
export { countWronglyPriced } from "./prices.ts";
export { billetsWithReceipt, firstBillets, wrongBillets } from "./read.ts";
export { billetReportHeadings, billetReportRows, billetWords } from "./report.ts";
export { addImportedBillets, lockBilletCodes } from "./store.ts";
export { writeBilletsToDraft } from "./write.ts";
