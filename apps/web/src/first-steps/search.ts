import { opaque } from "../shell/search-params.ts";

export const firstStepsSearch = {
  /** Address to which the person returns (FST-009). */
  redirectedFrom: opaque,
};

declare module "../shell/search-params.ts" {
  interface PageSearches {
    FirstStepsPage: typeof firstStepsSearch;
  }
}
