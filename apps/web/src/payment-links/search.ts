import { pageNumber } from "../shell/search-params.ts";

export const paymentLinksSearch = { pagina: pageNumber };

declare module "../shell/search-params.ts" {
  interface PageSearches {
    PaymentLinkPage: typeof paymentLinksSearch;
  }
}
