import type { Transitions } from "./transitions.ts";

export const transferStatuses = [
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
export type TransferStatus = (typeof transferStatuses)[number];

/**
 * Every step a payment may take, a boleto as well. Decision 0048 explains the statuses that no code here writes yet.
 */
export const transferTransitions = {
  // FAILED: its charge was paid by another payment before this one left.
  CREATED: ["RECEIVED", "SCHEDULED", "FAILED"],
  RECEIVED: ["EXECUTING"],
  // Its day has come, or its schedule is cancelled.
  SCHEDULED: ["EXECUTING", "RETURNED"],
  // Its end-to-end id is stored; from here on only the network decides its outcome.
  EXECUTING: ["EM_REMESSA", "TRANSFERRED", "FINISHED", "FAILED", "FAILED_INTERNAL"],
  // In a file for the bank, waiting for its answer file.
  EM_REMESSA: ["TRANSFERRED", "FINISHED", "FAILED", "FAILED_INTERNAL"],
  // Our side failed with the outcome unknown; the network is asked, and the outcome never guessed.
  FAILED_INTERNAL: ["TRANSFERRED", "FINISHED", "FAILED"],
  // The receiving bank may send a settled payment back.
  TRANSFERRED: ["FINISHED", "BEING_RETURNED", "RETURNED"],
  FINISHED: ["BEING_RETURNED", "RETURNED"],
  // Corrected and sent again, or given back.
  FAILED: ["RECEIVED", "SCHEDULED", "REQUESTED_REFUND", "BEING_RETURNED", "RETURNED"],
  REQUESTED_REFUND: ["BEING_RETURNED", "RETURNED"],
  BEING_RETURNED: ["RETURNED"],
  RETURNED: [],
} as const satisfies Transitions<TransferStatus>;

export function canMoveTransfer(from: TransferStatus, to: TransferStatus): boolean {
  return (transferTransitions as Transitions<TransferStatus>)[from].includes(to);
}

type Statuses = readonly TransferStatus[];

/*
 * Sets that statements and screens ask for by name. A payment is given back when it is RETURNED and its money is on the balance;
 * until then, REQUESTED_REFUND or BEING_RETURNED, it is on its way back (decision 0048).
 */

/** The money is with the receiver. */
export const statusesArrived = ["TRANSFERRED", "FINISHED"] as const satisfies Statuses;
/** Left or about to leave, without an outcome; shown as 'Em processamento' (TRF-007, BIL-004). */
export const statusesUnderWay = [
  "RECEIVED",
  "EXECUTING",
  "EM_REMESSA",
  "FAILED_INTERNAL",
] as const satisfies Statuses;
/** The network has yet to report its outcome; in the order of the partial index `transfers_to_ask_about`. */
export const statusesAwaitingReport = [
  "EXECUTING",
  "EM_REMESSA",
  "FAILED_INTERNAL",
  "TRANSFERRED",
] as const satisfies Statuses;
/** What 'Devolvida' lists: given back, or on its way back. */
export const statusesReturned = [
  "RETURNED",
  "BEING_RETURNED",
  "REQUESTED_REFUND",
] as const satisfies Statuses;
/** A reason is shown with it (TRF-011). */
export const statusesWithReason = ["FAILED", ...statusesReturned] as const satisfies Statuses;
/** Nothing is reserved for it any more. */
export const statusesPaidOrReturned = [...statusesArrived, "RETURNED"] as const satisfies Statuses;
/** It has an outcome, which the indicators count and a receiver is remembered by. */
export const statusesWithOutcome = [...statusesArrived, "FAILED", "RETURNED"] as const satisfies Statuses;
/**
 * The same code may be paid again (BIL-013). Not one that is on its way back: its money is still outside. The unique index
 * `transfers_living_codes` says the same.
 */
export const statusesPayableAgain = ["FAILED", "RETURNED"] as const satisfies Statuses;
/** A person may still correct it, so it is shown whole. */
export const statusesCorrectable = ["CREATED", "FAILED"] as const satisfies Statuses;
