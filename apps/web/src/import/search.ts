import { naming } from "../shell/search-params.ts";

export const isSheetId = (given: string): boolean => /^[0-9a-f-]{36}$/i.test(given);

export const importSearch = {
  /** Id of the sheet being read, so that the address finds it again. */
  planilha: naming(isSheetId),
};

declare module "../shell/search-params.ts" {
  interface PageSearches {
    ImportPage: typeof importSearch;
  }
}
