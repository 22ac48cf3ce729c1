import { choice, month, pageNumber } from "../shell/search-params.ts";

export const statementSearch = {
  /** STM-002: the current month by default. */
  mes: month,
  pagina: pageNumber,
  /** The question of STM-026, open above the page. */
  resgate: choice(["novo"]),
};

declare module "../shell/search-params.ts" {
  interface PageSearches {
    StatementPage: typeof statementSearch;
  }
}
