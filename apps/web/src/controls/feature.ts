import { IconUserCheck } from "@tabler/icons-react";
import { type Feature, page } from "../shell/feature.ts";
import { ApprovalsBanner } from "./approvals-banner.tsx";

export const controls: Feature = {
  pages: [
    page("AdminControlsPage", { title: "Controles", load: () => import("./controls-page.tsx") }),
    page("ApprovalsPage", { title: "Aprovações", load: () => import("./approvals-page.tsx") }),
  ],
  banner: ApprovalsBanner,
  nav: [
    {
      group: "Pagamentos",
      label: "Aprovações",
      to: "ApprovalsPage",
      icon: IconUserCheck,
      outsideMenu: true,
    },
  ],
};
