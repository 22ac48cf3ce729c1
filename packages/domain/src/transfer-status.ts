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

/** Every legal step. The database and the books check ask the same table. */
export const transferSteps: Readonly<Record<TransferStatus, readonly TransferStatus[]>> = {
  CREATED: ["RECEIVED", "SCHEDULED"],
  RECEIVED: ["SCHEDULED", "EXECUTING", "EM_REMESSA", "FAILED", "BEING_RETURNED", "RETURNED"],
  // A cancelled batch gives its scheduled payments back.
  SCHEDULED: ["RECEIVED", "EXECUTING", "EM_REMESSA", "FAILED", "BEING_RETURNED", "RETURNED"],
  EXECUTING: ["TRANSFERRED", "FINISHED", "FAILED", "FAILED_INTERNAL"],
  // In a file for the bank, waiting for its answer file.
  EM_REMESSA: ["EXECUTING", "TRANSFERRED", "FINISHED", "FAILED", "FAILED_INTERNAL"],
  // The receiving bank may send a settled TED or Pix back.
  TRANSFERRED: ["FINISHED", "BEING_RETURNED", "RETURNED"],
  FINISHED: ["BEING_RETURNED", "RETURNED"],
  // Corrected and sent again, or refunded.
  FAILED: ["RECEIVED", "SCHEDULED", "REQUESTED_REFUND", "BEING_RETURNED", "RETURNED"],
  // Our side stumbled with the outcome unknown; the truth is asked for, never guessed.
  FAILED_INTERNAL: ["RECEIVED", "EXECUTING", "TRANSFERRED", "FINISHED", "FAILED"],
  REQUESTED_REFUND: ["BEING_RETURNED", "RETURNED"],
  BEING_RETURNED: ["RETURNED"],
  RETURNED: [],
};

export function canMoveTransfer(from: TransferStatus, to: TransferStatus): boolean {
  return transferSteps[from].includes(to);
}
