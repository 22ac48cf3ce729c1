import { uploadSheet } from "@malote/contracts/import";
import { IconFileImport } from "@tabler/icons-react";
import type { Feature } from "../shell/feature.ts";
import { may } from "../shell/session.ts";

const path = "/pagamentos/importacao-de-planilha";

export const sheetImport: Feature = {
  pages: [
    {
      name: "ImportPage",
      path,
      title: "Importação de planilha",
      application: "payments",
      access: { forbid: ["analyst"] },
      load: () => import("./import-page.tsx"),
    },
  ],
  nav: [
    {
      group: "Pagamentos",
      label: "Importação",
      to: path,
      icon: IconFileImport,
      shows: (session) => may(uploadSheet, session),
    },
  ],
};
