/** What the details of a payment and of a payin show of their past. Only for files that load when they are opened. */
export { payinHistoryQuery, paymentHistoryQuery } from "./api.ts";
export { HistorySection } from "./history-section.tsx";
