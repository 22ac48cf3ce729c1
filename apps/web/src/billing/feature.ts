import { onlyWithInvoices } from "../company/index.ts";
import { type Feature, page } from "../shell/feature.ts";
import { OverdueBanner } from "./overdue-banner.tsx";
import { billingSearch } from "./search.ts";

export const billing: Feature = {
  pages: [
    page("BillingPage", {
      title: "Faturas",
      before: [onlyWithInvoices],
      search: billingSearch,
      load: () => import("./billing-page.tsx"),
    }),
  ],
  banner: OverdueBanner,
};
