import { type Feature, page } from "../shell/feature.ts";
import { securitySearch } from "./search.ts";

export const account: Feature = {
  pages: [
    page("MyAccountAccountDataPage", {
      title: "Dados da conta",
      load: () => import("./account-data-page.tsx"),
    }),
    page("MyAccountSecuritySettingsPage", {
      title: "Segurança",
      search: securitySearch,
      load: () => import("./security-page.tsx"),
    }),
  ],
};
