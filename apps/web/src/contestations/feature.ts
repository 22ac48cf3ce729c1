import { IconShieldExclamation } from "@tabler/icons-react";
import { type Feature, page } from "../shell/feature.ts";
import { PendingBadge } from "./pending-badge.tsx";
import { infractionsSearch } from "./search.ts";
import { leaveTerms, sendToTerms } from "./terms.ts";

export const contestations: Feature = {
  pages: [
    page("InfractionsPage", {
      title: "Contestações",
      before: [sendToTerms],
      search: infractionsSearch,
      load: () => import("./infractions-page.tsx"),
    }),
    page("InfractionTermsPage", {
      title: "Termos de uso do painel de infrações",
      before: [leaveTerms],
      load: () => import("./terms-page.tsx"),
    }),
    page("InfractionPage", {
      title: "Detalhes da infração",
      before: [sendToTerms],
      load: () => import("./infraction-page.tsx"),
    }),
  ],
  nav: [
    {
      group: "Contestações",
      label: "Infrações e MED",
      to: "InfractionsPage",
      icon: IconShieldExclamation,
      badge: PendingBadge,
    },
  ],
};
