/** Parts of billing that other features show. */
export { competenceOf, statusLooks } from "./invoice-looks.ts";
export { PayRequestBanner } from "./pay-request-banner.tsx";
