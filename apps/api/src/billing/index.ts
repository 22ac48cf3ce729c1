/** Public functions of billing for other features. */
export { closeMonths, companiesToCharge } from "./close-months.ts";
export { recordInvoiceReport } from "./invoice-reports.ts";
export { statusAt } from "./read.ts";
export { listEverybodysInvoices, lockAccount, moveAccount, type SomeonesInvoice } from "./store.ts";
