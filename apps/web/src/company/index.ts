/** Parts that the other pages of 'Minha empresa' use. */
export { CompanyFrame } from "./company-frame.tsx";
export { onlyWithInvoices } from "./tabs.ts";
