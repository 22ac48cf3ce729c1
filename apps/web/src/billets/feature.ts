import { IconBarcode } from "@tabler/icons-react";
import { type Feature, page } from "../shell/feature.ts";

export const billets: Feature = {
  pages: [
    page("BilletsPage", {
      title: "Seus boletos",
      load: () => import("./billets-page.tsx"),
    }),
  ],
  nav: [{ group: "Pagamentos", label: "Boletos", to: "BilletsPage", icon: IconBarcode }],
};
