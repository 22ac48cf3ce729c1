import { type Feature, page } from "../shell/feature.ts";

export const firstSteps: Feature = {
  pages: [
    page("FirstStepsPage", {
      title: "Primeiros passos",
      load: () => import("./first-steps-page.tsx"),
    }),
  ],
};
