/** What other features may show of billing. */
export { competenceOf, statusLooks } from "./invoice-looks.ts";
export { PayRequestBanner } from "./pay-request-banner.tsx";
