import { opaque } from "../shell/search-params.ts";

export const securitySearch = {
  /** Address that the person wanted before this page (SES-029). */
  redirectedFrom: opaque,
};

declare module "../shell/search-params.ts" {
  interface PageSearches {
    MyAccountSecuritySettingsPage: typeof securitySearch;
  }
}
