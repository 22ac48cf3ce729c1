/** What the other pages of 'Minha empresa' are made with. */
export { CompanyFrame } from "./company-frame.tsx";
export { onlyWithInvoices } from "./tabs.ts";
