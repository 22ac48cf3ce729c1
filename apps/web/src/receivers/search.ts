import { choice, matching, opaque, pageNumber, text } from "../shell/search-params.ts";
import { filterWordNames } from "./receiver-status.ts";

export const receiversSearch = {
  busca: text(),
  /** ISPB. */
  banco: matching(/^\d{8}$/),
  status: choice(filterWordNames),
  pagina: pageNumber,
  /** Receiver that is open above the page, or `novo`. */
  recebedor: opaque,
};

declare module "../shell/search-params.ts" {
  interface PageSearches {
    ReceiversPage: typeof receiversSearch;
  }
}
