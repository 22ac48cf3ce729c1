import { type Feature, page } from "../shell/feature.ts";

export const company: Feature = {
  pages: [
    page("AdminCompanyDataPage", {
      title: "Dados da empresa",
      load: () => import("./company-data-page.tsx"),
    }),
    page("AdminLimitsPage", {
      title: "Meus limites",
      load: () => import("./limits-page.tsx"),
    }),
  ],
};
