import { choices, month } from "../shell/search-params.ts";

/** Order of the page. The names are those of the address bar, for cards shown as tables. */
export const cardNames = ["mes", "dia", "banco", "falhas-por-banco", "situacao", "motivos"] as const;
export type CardName = (typeof cardNames)[number];

export const indicatorsSearch = {
  /** IND-002: the current month by default. */
  de: month,
  ate: month,
  tabela: choices(cardNames),
};

declare module "../shell/search-params.ts" {
  interface PageSearches {
    IndicatorsPage: typeof indicatorsSearch;
  }
}
