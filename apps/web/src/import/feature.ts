import { IconFileImport } from "@tabler/icons-react";
import { type Feature, page } from "../shell/feature.ts";
import { importSearch } from "./search.ts";

export const sheetImport: Feature = {
  pages: [
    page("ImportPage", {
      title: "Importação de planilha",
      search: importSearch,
      load: () => import("./import-page.tsx"),
    }),
  ],
  nav: [{ group: "Pagamentos", label: "Importação", to: "ImportPage", icon: IconFileImport }],
};
