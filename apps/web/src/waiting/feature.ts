import { IconHourglass } from "@tabler/icons-react";
import { type Feature, page } from "../shell/feature.ts";

export const waiting: Feature = {
  pages: [
    page("WaitingBatchesPage", {
      title: "Aguardando recebimento",
      load: () => import("./waiting-page.tsx"),
    }),
  ],
  nav: [
    {
      group: "Pagamentos",
      label: "Aguardando recebimento",
      to: "WaitingBatchesPage",
      icon: IconHourglass,
      outsideMenu: true,
    },
  ],
};
