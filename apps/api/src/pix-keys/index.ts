/** Public functions of Pix keys for other features and the worker. */

export { applyDirectoryReports, handleDirectoryReport } from "./apply-reports.ts";
export { codeToPay } from "./present.ts";
export { repeatDirectoryRequests } from "./request.ts";
export { codesOfPixKeys } from "./secret-store.ts";
export { listCompaniesPayableBy, listPixKeys, type PixKeyRow } from "./store.ts";
