/** What other features and the worker may ask of Pix keys. */

export { applyDirectoryReports } from "./apply-reports.ts";
export { codeToPay } from "./present.ts";
export { repeatDirectoryRequests } from "./request.ts";
export { companiesPayableBy, listPixKeys, type PixKeyRow } from "./store.ts";
