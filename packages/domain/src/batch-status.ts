export const batchStatuses = [
  "DRAFT",
  "VALIDATING",
  "PENDING",
  "WAITING_APPROVAL",
  "WAITING",
  "RECEIVED",
  "FINISHED",
  "RETURNED",
  "REMOVED",
] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/** Every legal step. The database and the books check ask the same table. */
export const batchSteps: Readonly<Record<BatchStatus, readonly BatchStatus[]>> = {
  DRAFT: ["VALIDATING", "WAITING_APPROVAL", "PENDING", "REMOVED"],
  // A large import is being checked.
  VALIDATING: ["DRAFT", "REMOVED"],
  WAITING_APPROVAL: ["PENDING", "DRAFT"],
  // Closing: the money is reserved, or waited for, or a payment turned out wrong and everything is a draft again.
  PENDING: ["RECEIVED", "WAITING", "DRAFT"],
  WAITING: ["RECEIVED", "DRAFT", "REMOVED"],
  RECEIVED: ["FINISHED", "RETURNED"],
  FINISHED: [],
  RETURNED: [],
  REMOVED: [],
};

export function canMoveBatch(from: BatchStatus, to: BatchStatus): boolean {
  return batchSteps[from].includes(to);
}
