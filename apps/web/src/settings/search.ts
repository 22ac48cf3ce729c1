import { isUuid, naming } from "../shell/search-params.ts";

export const bankDataSearch = {
  /** `nova` opens the wizard for a new key; an id opens that key (SET-002, SET-006). */
  chave: naming((given) => given === "nova" || isUuid(given)),
};

declare module "../shell/search-params.ts" {
  interface PageSearches {
    PaymentsBankAccountsPage: typeof bankDataSearch;
  }
}
