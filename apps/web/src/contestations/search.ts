import { analysisStatuses } from "@malote/domain/infraction";
import { contestationPageSizes } from "@malote/domain/limits";
import { choice, cursor, day, opaque, size, text } from "../shell/search-params.ts";

/** MED-015; without dates at the start (MED-013). */
export const infractionsSearch = {
  searchTerm: text(),
  infractionAnalysisStatus: choice(analysisStatuses),
  infractionStartDate: day(() => null),
  infractionEndDate: day(() => null),
  pageCursor: cursor,
  pageSize: size(contestationPageSizes),
  /** Export that the link of an e-mail names. */
  exportacao: opaque,
};

declare module "../shell/search-params.ts" {
  interface PageSearches {
    InfractionsPage: typeof infractionsSearch;
  }
}
