/**
 * Public functions of payins for other features.
 *
 * Charging (payment links):
 *   createCharge(services, companyId, { id, paymentLinkId, amount, payer: { name, taxId }, description, method })
 *       method: { kind: "pix" } | { kind: "boleto", dueInBusinessDays } | { kind: "credit_card", installments, card }
 *       Call it outside any transaction. `id` is a UUID of the server, never the payer's choice, known before the first
 *       try: a repeated id is the same charge, and with other content it throws AppError("idempotency_key_reused").
 *       Returns a `Charge`. While `isReady` is false the network has not answered: call it again with the same id, or
 *       leave it to the schedule and poll `readCharge`.
 *   readCharge(tx, id): Charge | undefined                         polled by a payer's screen
 *   cancelCharges(services, { companyId, paymentLinkId })          outside any transaction; or enqueue "cancel-charges"
 *   findPayin(tx, id): PayinRow | undefined                        a link is paid once one of its payins is `isPaid`
 *   hasPendingSale(tx, paymentLinkId, except): boolean             a card of the link is with the acquirer, unanswered
 *   findLink, insertLink, lockLink, markLinkRemoved …                rows of the links themselves, whose payins decide
 *                                                                  whether one is paid; `payment-links` has the actions
 *   isPaid(payin): boolean                                         money arrived, or a card sale was authorised
 *
 * Received Pix (contestations). Each needs a transaction of the company; `now` is the injected clock's.
 *   findPayinByEndToEndId(tx, endToEndId): PayinRow | undefined
 *   lockPayin(tx, id): PayinRow | undefined                        before blocking
 *   returnPayin(tx, { payinId, refundId, amount, now })            { kind: "returned" | "refused" }; see refund.ts
 *   blockPayin(tx, payin, reason, now): boolean                    moves the remaining money from available to blocked;
 *                                                                  false when none is left
 *   unblockPayin(tx, jobs, payin, now): boolean                    moves it back from blocked to available
 *
 * The network's reports, and the scheduled work: findCompanyOfDeposit, receiveDeposit, isReceivedElsewhere,
 * applyPayinEvent, collectDue.
 */
export { applyPayinEvent } from "./apply-event.ts";
export { executeRefund } from "./ask-refund.ts";
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
