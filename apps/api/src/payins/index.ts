/**
 * Public functions of payins for other features; each documents its promise where it is defined.
 *
 * For payment links: charges, the rows of links, and whether a payin paid one.
 * For contestations: received Pix, their returns and their blocks, inside a transaction of the company.
 * For reports of networks: deposits and events of payins.
 */
export { applyPayinEvent } from "./apply-event.ts";
export {
  type ChargeRequest,
  cancelCharges,
  createCharge,
  readCharge,
} from "./charge.ts";
export { hasPendingSale } from "./charge-store.ts";
export { collectDue, listCompaniesToCollectFor } from "./collect-due.ts";
export {
  findLink,
  findLinkByToken,
  insertLink,
  type LinkRow,
  listLinks,
  lockLink,
  markLinkRemoved,
} from "./link-store.ts";
export { blockPayin, unblockPayin } from "./money.ts";
export {
  findCompanyOfDeposit,
  isReceivedElsewhere,
  receiveDeposit,
  sqlCompaniesThatReceived,
} from "./receive-pix.ts";
export { returnPayin } from "./refund.ts";
export { executeRefund } from "./request-refund.ts";
export {
  findOpenBoleto,
  findPayin,
  findPayinByEndToEndId,
  isPaid,
  lockPayin,
  type PayinRow,
  sqlHasReceived,
  sqlIsVisible,
  sqlJoinPayin,
} from "./store.ts";
