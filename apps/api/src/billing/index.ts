/** Public functions of billing for other features. */
export { closeMonths, listCompaniesToCharge } from "./close-months.ts";
export { recordInvoiceReport } from "./invoice-reports.ts";
export { statusAt } from "./read.ts";
export { type InvoiceOfCompany, listInvoicesOfAllCompanies, lockAccount, moveAccount } from "./store.ts";
