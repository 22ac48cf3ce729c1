import type { Feature } from "../shell/feature.ts";

export const waiting: Feature = {
  pages: [
    {
      name: "WaitingBatchesPage",
      path: "/pagamentos/lotes-aguardando-recebimento",
      title: "Aguardando recebimento",
      application: "payments",
      load: () => import("./waiting-page.tsx"),
    },
  ],
};
