import { IconArrowsExchange } from "@tabler/icons-react";
import { type Feature, page } from "../shell/feature.ts";
import { transfersSearch } from "./search.ts";

export const transfers: Feature = {
  pages: [
    page("TransfersPage", {
      title: "Suas transferências",
      search: transfersSearch,
      load: () => import("./transfers-page.tsx"),
    }),
  ],
  nav: [{ group: "Pagamentos", label: "Transferências", to: "TransfersPage", icon: IconArrowsExchange }],
};
