import { IconCreditCard } from "@tabler/icons-react";
import { type Feature, page } from "../shell/feature.ts";
import { hasCardCharge } from "./api.ts";
import { receivablesSearch } from "./search.ts";

export const cardReceivables: Feature = {
  pages: [
    page("CardReceivablesPage", {
      title: "Cartão de crédito",
      // CRD-001: without card charges, the page redirects home.
      before: [async (session) => ((await hasCardCharge(session)) ? undefined : "/")],
      search: receivablesSearch,
      load: () => import("./card-receivables-page.tsx"),
    }),
  ],
  nav: [
    {
      group: "Recebimentos",
      label: "Cartão de crédito",
      to: "CardReceivablesPage",
      flag: "card-charge",
      icon: IconCreditCard,
    },
  ],
};
