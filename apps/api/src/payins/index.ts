/**
 * What other features may ask of payins.
 *
 * Charging (payment links):
 *   createCharge(services, companyId, { id, paymentLinkId, amount, payer: { name, taxId }, description, method })
 *       method: { kind: "pix" } | { kind: "boleto", dueInBusinessDays } | { kind: "credit_card", installments, card }
 *       Outside any transaction. `id` is a UUID of ours, never a payer's choice, known before the first try: again is the same
 *       charge; with another content it throws AppError("idempotency_key_reused"). Answers a `Charge`. `isReady` false: the network has not
 *       answered yet; call it again with the same id, or wait for the clock and ask `readCharge`.
 *   readCharge(tx, id): Charge | undefined                         what a payer's screen polls
 *   cancelCharges(services, { companyId, paymentLinkId })             outside any transaction; or enqueue "cancel-charges"
 *   findPayin(tx, id): PayinRow | undefined                        a link is paid once one of its payins is `isPaid`
 *   isPaid(payin): boolean                                         money came, or a card promised it
 *
 * Pix that was received (contestations). Each needs a transaction of the company; `now` is the injected clock's.
 *   findPayinByEndToEndId(tx, endToEndId): PayinRow | undefined
 *   lockPayin(tx, id): PayinRow | undefined                        before blocking
 *   returnPayin(tx, { payinId, refundId, amount, now })            { kind: "returned" | "refused" }; see refund.ts
 *   blockPayin(tx, payin, reason, now): boolean                    available → blocked, what is there of it; false: nothing
 *   unblockPayin(tx, jobs, payin, now): boolean                    blocked → available
 *
 * The network's reports, and the scheduled work: companyOfDeposit, receiveDeposit, isReceivedElsewhere,
 * applyPayinEvent, collectDue.
 */
export { applyPayinEvent } from "./apply-event.ts";
export {
  type ChargeRequest,
  cancelCharges,
  createCharge,
  readCharge,
} from "./charge.ts";
export { collectDue, companiesToCollectFor } from "./collect-due.ts";
export { blockPayin, unblockPayin } from "./money.ts";
export { companyOfDeposit, isReceivedElsewhere, receiveDeposit } from "./receive-pix.ts";
export { returnPayin } from "./refund.ts";
export {
  findOpenBoleto,
  findPayin,
  findPayinByEndToEndId,
  isPaid,
  isVisible,
  lockPayin,
  type PayinRow,
  paidStatuses,
} from "./store.ts";
