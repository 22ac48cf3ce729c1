import { receivableStatuses } from "@malote/contracts/card-receivables";
import { choices, pageNumber, period, text } from "../shell/search-params.ts";

export const receivablesSearch = {
  busca: text(),
  ...period,
  status: choices(receivableStatuses),
  pagina: pageNumber,
};

declare module "../shell/search-params.ts" {
  interface PageSearches {
    CardReceivablesPage: typeof receivablesSearch;
  }
}
