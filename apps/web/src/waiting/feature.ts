import { type Feature, page } from "../shell/feature.ts";

export const waiting: Feature = {
  pages: [
    page("WaitingBatchesPage", {
      title: "Aguardando recebimento",
      load: () => import("./waiting-page.tsx"),
    }),
  ],
};
