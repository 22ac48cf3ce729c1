import type { Feature } from "../shell/feature.ts";
import { firstStepsPath } from "./index.ts";

export const firstSteps: Feature = {
  pages: [
    {
      name: "FirstStepsPage",
      path: firstStepsPath,
      title: "Primeiros passos",
      application: "payments",
      load: () => import("./first-steps-page.tsx"),
    },
  ],
};
