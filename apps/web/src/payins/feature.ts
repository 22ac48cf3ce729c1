import { IconArrowDownLeft } from "@tabler/icons-react";
import { type Feature, page } from "../shell/feature.ts";
import { payinsSearch } from "./search.ts";

export const payins: Feature = {
  pages: [
    page("ReceivablesPage", {
      title: "Seus recebimentos",
      search: payinsSearch,
      load: () => import("./payins-page.tsx"),
    }),
  ],
  nav: [
    {
      group: "Recebimentos",
      label: "Seus recebimentos",
      to: "ReceivablesPage",
      icon: IconArrowDownLeft,
    },
  ],
};
