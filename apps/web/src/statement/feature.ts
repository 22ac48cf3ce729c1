import { IconWallet } from "@tabler/icons-react";
import { sendToFirstSteps } from "../first-steps/index.ts";
import type { Feature } from "../shell/feature.ts";

const path = "/pagamentos/saldo";

export const statement: Feature = {
  pages: [
    {
      name: "StatementPage",
      path,
      title: "Saldo",
      application: "payments",
      before: [sendToFirstSteps(path)],
      load: () => import("./statement-page.tsx"),
    },
  ],
  nav: [{ group: "Pagamentos", label: "Saldo", to: path, icon: IconWallet }],
};
