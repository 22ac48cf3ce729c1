import { IconBarcode } from "@tabler/icons-react";
import { sendToFirstSteps } from "../first-steps/index.ts";
import { type Feature, page } from "../shell/feature.ts";

export const billets: Feature = {
  pages: [
    page("BilletsPage", {
      title: "Seus boletos",
      before: [sendToFirstSteps("BilletsPage")],
      load: () => import("./billets-page.tsx"),
    }),
  ],
  nav: [{ group: "Pagamentos", label: "Boletos", to: "BilletsPage", icon: IconBarcode }],
};
