import { lazyPart } from "../shell/lazy-part.ts";

/** What the batch's screen takes from here; what opens arrives when it is opened. */

export { billetQuery } from "./api.ts";
export { BilletList } from "./billet-list.tsx";
export { billetFilterWords } from "./billet-status.ts";
export { billetName } from "./billet-text.ts";

export const BilletWizard = lazyPart(() => import("./billet-wizard.tsx"));
export const BilletDetailsDialog = lazyPart(() => import("./billet-details-dialog.tsx"));
export const RefundBilletDialog = lazyPart(() => import("./refund-billet-dialog.tsx"));
export const CancelScheduleDialog = lazyPart(() => import("./cancel-schedule-dialog.tsx"));
