/** History section for the details of a payment and of a payin. Only for files that load when they are opened. */
export { payinHistoryQuery, paymentHistoryQuery } from "./api.ts";
export { HistorySection } from "./history-section.tsx";
