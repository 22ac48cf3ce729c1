import { payinStatuses, payinTypes } from "@malote/domain/payin";
import { choices, cursor, opaque, pageNumber, period, text } from "../shell/search-params.ts";

export const payinsSearch = {
  busca: text(),
  ...period,
  status: choices(payinStatuses),
  metodo: choices(payinTypes),
  pagina: pageNumber,
  /** Place in a list that is too long for page numbers. */
  cursor,
  /** Payin that is open above the page. */
  recebimento: opaque,
};

declare module "../shell/search-params.ts" {
  interface PageSearches {
    ReceivablesPage: typeof payinsSearch;
  }
}
