import { IconBarcode } from "@tabler/icons-react";
import { type Feature, page } from "../shell/feature.ts";
import { boletosSearch } from "./search.ts";

export const boletos: Feature = {
  pages: [
    page("BoletosPage", {
      title: "Seus boletos",
      search: boletosSearch,
      load: () => import("./boletos-page.tsx"),
    }),
  ],
  nav: [{ group: "Pagamentos", label: "Boletos", to: "BoletosPage", icon: IconBarcode }],
};
