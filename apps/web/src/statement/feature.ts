import { IconBuildingBank, IconWallet } from "@tabler/icons-react";
import { sendToFirstSteps } from "../first-steps/index.ts";
import { type Feature, page } from "../shell/feature.ts";
import { pathOf } from "../shell/routes.ts";
import { statementSearch } from "./search.ts";
import { seesWithdrawal } from "./who.ts";

export const statement: Feature = {
  pages: [
    page("StatementPage", {
      title: "Saldo",
      before: [sendToFirstSteps("StatementPage")],
      search: statementSearch,
      load: () => import("./statement-page.tsx"),
    }),
  ],
  commands: [
    {
      id: "resgatar-saldo",
      label: "Resgatar saldo",
      words: "saque sacar retirar",
      icon: IconBuildingBank,
      shows: seesWithdrawal,
      to: `${pathOf("StatementPage")}?resgate=novo`,
    },
  ],
  nav: [{ group: "Pagamentos", label: "Saldo", to: "StatementPage", icon: IconWallet, outsideMenu: true }],
};
