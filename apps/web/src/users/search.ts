import { applications, profiles } from "@malote/contracts/policy";
import { choice, opaque, pageNumber, text } from "../shell/search-params.ts";

export const usersSearch = {
  busca: text(),
  produto: choice(applications),
  perfil: choice(profiles),
  pagina: pageNumber,
  /** User that is open above the page, or `novo`. */
  usuario: opaque,
};

declare module "../shell/search-params.ts" {
  interface PageSearches {
    AdminUsersPage: typeof usersSearch;
  }
}
