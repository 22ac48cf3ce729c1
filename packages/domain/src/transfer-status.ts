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

/** Every step a payment may take, a boleto as well. Decision 0048 says what the statuses mean that nothing here writes yet. */
export const transferTransitions = {
  // FAILED: its charge was paid by another payment before this one left.
  CREATED: ["RECEIVED", "SCHEDULED", "FAILED"],
  RECEIVED: ["EXECUTING"],
  // Its day has come, or its schedule is cancelled.
  SCHEDULED: ["EXECUTING", "RETURNED"],
  // Its end-to-end id is stored; from here on only the network says what became of it.
  EXECUTING: ["EM_REMESSA", "TRANSFERRED", "FINISHED", "FAILED", "FAILED_INTERNAL"],
  // In a file for the bank, waiting for its answer file.
  EM_REMESSA: ["TRANSFERRED", "FINISHED", "FAILED", "FAILED_INTERNAL"],
  // Our side stumbled with the outcome unknown; the truth is asked for, never guessed.
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
