import { type Feature, page } from "../shell/feature.ts";
import { firstStepsSearch } from "./search.ts";

export const firstSteps: Feature = {
  pages: [
    page("FirstStepsPage", {
      title: "Primeiros passos",
      search: firstStepsSearch,
      load: () => import("./first-steps-page.tsx"),
    }),
  ],
};
