/** What others may ask of billing. */
export { closeMonths, companiesToCharge } from "./close-months.ts";
export { recordInvoiceNews } from "./invoice-news.ts";
export { statusAt } from "./read.ts";
export { listEverybodysInvoices, lockAccount, moveAccount, type SomeonesInvoice } from "./store.ts";
