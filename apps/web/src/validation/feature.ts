import { createValidation } from "@malote/contracts/validation";
import { IconHistory, IconShieldCheck } from "@tabler/icons-react";
import { type Feature, page } from "../shell/feature.ts";
import { pathOf } from "../shell/routes.ts";
import { may } from "../shell/session.ts";
import { validationHistorySearch, validationSearch } from "./search.ts";

export const validation: Feature = {
  pages: [
    page("ValidationPage", {
      title: "Validações",
      search: validationSearch,
      load: () => import("./validation-page.tsx"),
    }),
    page("ValidationHistoryPage", {
      title: "Histórico de validações",
      search: validationHistorySearch,
      load: () => import("./history-page.tsx"),
    }),
  ],
  // SHL-030: group of validation in the menu.
  nav: [
    { group: "ContaCerta", label: "Validação de dados", to: "ValidationPage", icon: IconShieldCheck },
    { group: "ContaCerta", label: "Histórico", to: "ValidationHistoryPage", icon: IconHistory },
  ],
  commands: [
    {
      id: "nova-validacao",
      label: "Nova validação",
      words: "contacerta conta chave pix microdepósito validar",
      icon: IconShieldCheck,
      shows: (session) => may(createValidation, session),
      to: pathOf("ValidationPage"),
    },
  ],
};
