import type { Transitions } from "./transitions.ts";

export const paymentStatuses = [
  "CREATED",
  "RECEIVED",
  "SCHEDULED",
  "EXECUTING",
  "EM_REMESSA",
  "TRANSFERRED",
  "FINISHED",
  "FAILED",
  "FAILED_INTERNAL",
  "BEING_RETURNED",
  "RETURNED",
  "REQUESTED_REFUND",
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/**
 * Permitted transitions of a payment, including boletos. Decision 0048 explains the statuses that no code here writes
 * yet.
 */
export const paymentTransitions = {
  // FAILED: another payment paid its charge before this one left.
  CREATED: ["RECEIVED", "SCHEDULED", "FAILED"],
  RECEIVED: ["EXECUTING"],
  // Its day arrived, or its schedule was cancelled.
  SCHEDULED: ["EXECUTING", "RETURNED"],
  // Its end-to-end id is stored; from now on only the network decides its outcome.
  EXECUTING: ["EM_REMESSA", "TRANSFERRED", "FINISHED", "FAILED", "FAILED_INTERNAL"],
  // In a file for the bank, which waits for the answer file.
  EM_REMESSA: ["TRANSFERRED", "FINISHED", "FAILED", "FAILED_INTERNAL"],
  // Our side failed with an unknown outcome; the product asks the network and never guesses the outcome.
  FAILED_INTERNAL: ["TRANSFERRED", "FINISHED", "FAILED"],
  // The receiving bank may return a settled payment.
  TRANSFERRED: ["FINISHED", "BEING_RETURNED", "RETURNED"],
  FINISHED: ["BEING_RETURNED", "RETURNED"],
  // Corrected and resent, or returned.
  FAILED: ["RECEIVED", "SCHEDULED", "REQUESTED_REFUND", "BEING_RETURNED", "RETURNED"],
  REQUESTED_REFUND: ["BEING_RETURNED", "RETURNED"],
  BEING_RETURNED: ["RETURNED"],
  RETURNED: [],
} as const satisfies Transitions<PaymentStatus>;

export function canMovePayment(from: PaymentStatus, to: PaymentStatus): boolean {
  return (paymentTransitions as Transitions<PaymentStatus>)[from].includes(to);
}

type Statuses = readonly PaymentStatus[];

/*
 * Sets that statements and screens use by name. A payment is returned when it is RETURNED and its money is on the
 * balance; until then, in REQUESTED_REFUND or BEING_RETURNED, its return is under way (decision 0048).
 */

/** Statuses in which the receiver has the money. */
export const statusesArrived = ["TRANSFERRED", "FINISHED"] as const satisfies Statuses;
/** Left or about to leave, without an outcome; shown as 'Em processamento' (TRF-007, BIL-004). */
export const statusesUnderWay = [
  "RECEIVED",
  "EXECUTING",
  "EM_REMESSA",
  "FAILED_INTERNAL",
] as const satisfies Statuses;
/** Statuses whose outcome the network has not reported; in the order of the partial index `transfers_to_ask_about`. */
export const statusesAwaitingReport = [
  "EXECUTING",
  "EM_REMESSA",
  "FAILED_INTERNAL",
  "TRANSFERRED",
] as const satisfies Statuses;
/** The statuses listed as 'Devolvida': returned, or with a return under way. */
export const statusesReturned = [
  "RETURNED",
  "BEING_RETURNED",
  "REQUESTED_REFUND",
] as const satisfies Statuses;
/** Statuses that are shown with a reason (TRF-011). */
export const statusesWithReason = ["FAILED", ...statusesReturned] as const satisfies Statuses;
/** Statuses without reserved money. */
export const statusesPaidOrReturned = [...statusesArrived, "RETURNED"] as const satisfies Statuses;
/** Statuses with an outcome, which the indicators count and saved receivers record. */
export const statusesWithOutcome = [...statusesArrived, "FAILED", "RETURNED"] as const satisfies Statuses;
/**
 * Statuses in which the same code may be paid again (BIL-013). A payment whose return is under way is excluded, because
 * its money is still outside. The unique index `transfers_living_codes` has the same condition.
 */
export const statusesFreeingCode = ["FAILED", "RETURNED"] as const satisfies Statuses;
/** Statuses in which a person may still correct the payment, so its documents are shown unmasked. */
export const statusesCorrectable = ["CREATED", "FAILED"] as const satisfies Statuses;
