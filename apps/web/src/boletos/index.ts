import { lazyPart } from "../shell/lazy-part.ts";

/** Parts of boletos that the batch's screen uses; dialogs load when they open. */

export { boletoQuery } from "./api.ts";
export { BoletoList } from "./boleto-list.tsx";
export { beneficiaryName, boletoName, daysText } from "./boleto-text.ts";
export { boletoFilterWords } from "./search.ts";

export const BoletoWizard = lazyPart(() => import("./boleto-wizard.tsx"));
export const BoletoDetailsDialog = lazyPart(() => import("./boleto-details-dialog.tsx"));
export const RefundBoletoDialog = lazyPart(() => import("./refund-boleto-dialog.tsx"));
export const CancelScheduleDialog = lazyPart(() => import("./cancel-schedule-dialog.tsx"));
