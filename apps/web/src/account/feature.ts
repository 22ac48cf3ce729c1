import type { Feature } from "../shell/feature.ts";

const securityPath = "/minha-conta/seguranca";

export const account: Feature = {
  pages: [
    {
      // Until the personal data has a screen of its own, the area opens at security.
      name: "MyAccountAccountDataPage",
      path: "/minha-conta",
      title: "Minha conta",
      before: [() => securityPath],
      load: () => import("./security-page.tsx"),
    },
    {
      name: "MyAccountSecuritySettingsPage",
      path: securityPath,
      title: "Segurança",
      load: () => import("./security-page.tsx"),
    },
  ],
};
