import { type Feature, page } from "../shell/feature.ts";
import { auditTrailSearch } from "./search.ts";

export const auditTrail: Feature = {
  pages: [
    page("AdminAuditTrailPage", {
      title: "Trilha de auditoria",
      search: auditTrailSearch,
      load: () => import("./audit-trail-page.tsx"),
    }),
  ],
};
