import { IconWallet } from "@tabler/icons-react";
import { sendToFirstSteps } from "../first-steps/index.ts";
import { type Feature, page } from "../shell/feature.ts";

export const statement: Feature = {
  pages: [
    page("StatementPage", {
      title: "Saldo",
      before: [sendToFirstSteps("StatementPage")],
      load: () => import("./statement-page.tsx"),
    }),
  ],
  nav: [{ group: "Pagamentos", label: "Saldo", to: "StatementPage", icon: IconWallet }],
};
