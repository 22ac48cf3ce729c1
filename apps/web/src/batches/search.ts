import { choice, month, pageNumber, text, type ValuesOf } from "../shell/search-params.ts";
import type { BatchFilter, BatchFilters } from "./api.ts";

/** Value in the address bar for each status of the filter (BAT-011). */
export const filterWords = {
  rascunho: "DRAFT",
  aguardando: "WAITING",
  aprovacao: "WAITING_APPROVAL",
  recebido: "RECEIVED",
  finalizado: "FINISHED",
} as const satisfies Record<string, BatchFilter>;
export const filterWordNames = Object.keys(filterWords) as (keyof typeof filterWords)[];

export const batchesSearch = {
  mes: month,
  status: choice(filterWordNames),
  busca: text(),
  pagina: pageNumber,
};

export const filtersOf = ({ mes, status, busca, pagina }: ValuesOf<typeof batchesSearch>): BatchFilters => ({
  month: mes,
  status: status && filterWords[status],
  search: busca,
  page: pagina - 1,
});

declare module "../shell/search-params.ts" {
  interface PageSearches {
    BatchesPage: typeof batchesSearch;
  }
}
