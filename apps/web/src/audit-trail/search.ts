import { cursor, matching, period, text } from "../shell/search-params.ts";

const idPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
export const isWholeId = (given: string): boolean => idPattern.test(given);

/** The page knows the words; naming them here would load the whole trail with the first page. */
const word = matching(/^[a-z_.]{1,60}$/);

export const auditTrailSearch = {
  ...period,
  /** Id of a person or a credential, or who is neither. */
  quem: matching(new RegExp(`${idPattern.source}|^(system|operator)$`)),
  objeto: word,
  acao: word,
  id: text(),
  cursor,
};

declare module "../shell/search-params.ts" {
  interface PageSearches {
    AdminAuditTrailPage: typeof auditTrailSearch;
  }
}
