/** Shared parts of transfers and boletos on the screens of a batch. */
export { paymentKeys, useRefreshPayments } from "./keys.ts";
export { PaymentList } from "./payment-list.tsx";
export { PaymentRow } from "./payment-row.tsx";
export { filterQuery, type PaymentFilters, paymentsSearch, type StatusWords } from "./payments-search.ts";
