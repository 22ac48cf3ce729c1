/** What the batch's screen takes from here; what opens arrives when it is opened. */
import { lazy } from "react";

export { billetQuery } from "./api.ts";
export { BilletList } from "./billet-list.tsx";
export { billetFilterWords } from "./billet-status.ts";

export const BilletWizard = lazy(() => import("./billet-wizard.tsx"));
export const BilletDetailsDialog = lazy(() => import("./billet-details-dialog.tsx"));
export const RefundBilletDialog = lazy(() => import("./refund-billet-dialog.tsx"));
export const CancelScheduleDialog = lazy(() => import("./cancel-schedule-dialog.tsx"));
