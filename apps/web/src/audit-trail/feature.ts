import { type Feature, page } from "../shell/feature.ts";

export const auditTrail: Feature = {
  pages: [
    page("AdminAuditTrailPage", {
      title: "Trilha de auditoria",
      load: () => import("./audit-trail-page.tsx"),
    }),
  ],
};
