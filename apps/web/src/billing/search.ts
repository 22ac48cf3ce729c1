import { naming } from "../shell/search-params.ts";
import { isMonth } from "../ui/format.ts";

export const billingSearch = {
  /** First day of a month: the report that the e-mail's link names. */
  relatorio: naming((given) => given.endsWith("-01") && isMonth(given.slice(0, 7))),
};

declare module "../shell/search-params.ts" {
  interface PageSearches {
    BillingPage: typeof billingSearch;
  }
}
