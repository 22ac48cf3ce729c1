import { IconHome } from "@tabler/icons-react";
import { type Feature, page } from "../shell/feature.ts";
import { homeQuery } from "./api.ts";
import { WorkBadge, WorkBanner } from "./work-everywhere.tsx";

export const home: Feature = {
  pages: [
    page("HomePage", {
      title: "Início",
      firstData: (queryClient) => queryClient.ensureQueryData(homeQuery),
      load: () => import("./home-page.tsx"),
    }),
  ],
  banner: WorkBanner,
  lead: { label: "Início", to: "HomePage", icon: IconHome, badge: WorkBadge },
};
