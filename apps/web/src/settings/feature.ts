import { IconSettings } from "@tabler/icons-react";
import { ClaimsBanner, PixKeyLayers, SendBalanceButton } from "../pix-keys/index.ts";
import { type Feature, page } from "../shell/feature.ts";
import { bankDataSearch } from "./search.ts";

export const settings: Feature = {
  pages: [
    page("PaymentsBankAccountsPage", {
      title: "Dados bancários",
      search: bankDataSearch,
      load: () => import("./bank-data-page.tsx"),
    }),
    page("PaymentsGeneralSettings", {
      title: "Configurações gerais",
      load: () => import("./general-page.tsx"),
    }),
  ],
  nav: [{ group: "Pagamentos", label: "Configurações", to: "PaymentsSettings", icon: IconSettings }],
  // Keys are managed on these pages, and used on all pages.
  topBar: SendBalanceButton,
  banner: ClaimsBanner,
  layer: PixKeyLayers,
};
