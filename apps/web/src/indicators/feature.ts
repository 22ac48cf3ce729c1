import { IconChartBar } from "@tabler/icons-react";
import { type Feature, page } from "../shell/feature.ts";
import { indicatorsSearch } from "./search.ts";

export const indicators: Feature = {
  pages: [
    page("IndicatorsPage", {
      title: "Indicadores",
      search: indicatorsSearch,
      load: () => import("./indicators-page.tsx"),
    }),
  ],
  nav: [{ group: "Pagamentos", label: "Indicadores", to: "IndicatorsPage", icon: IconChartBar }],
};
