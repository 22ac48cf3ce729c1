import { createPaymentLink } from "@malote/contracts/payment-links";
import { IconLink, IconLinkPlus } from "@tabler/icons-react";
import { type Feature, page } from "../shell/feature.ts";
import { pathOf } from "../shell/routes.ts";
import { may } from "../shell/session.ts";
import { paymentLinksSearch } from "./search.ts";

export const paymentLinks: Feature = {
  pages: [
    page("PaymentLinkPage", {
      title: "Links de pagamento",
      search: paymentLinksSearch,
      load: () => import("./payment-links-page.tsx"),
    }),
    page("NewPaymentLinkPage", {
      title: "Criar link de pagamento",
      load: () => import("./new-payment-link-page.tsx"),
    }),
  ],
  nav: [{ group: "Recebimentos", label: "Links de pagamento", to: "PaymentLinkPage", icon: IconLink }],
  commands: [
    {
      id: "novo-link-de-pagamento",
      label: "Criar link de pagamento",
      words: "novo cobrar cobrança receber checkout",
      icon: IconLinkPlus,
      shows: (session) => may(createPaymentLink, session),
      to: pathOf("NewPaymentLinkPage"),
    },
  ],
};
