import { statusesFrom, type Transitions } from "./transitions.ts";

/** Types of batches that people create. Any other batch belongs to the product and holds one payment. */
export const batchTypes = ["TRANSFER", "BILLET"] as const;
export type BatchType = (typeof batchTypes)[number];

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

/** Permitted transitions of a batch. */
export const batchTransitions = {
  DRAFT: ["VALIDATING", "WAITING_APPROVAL", "PENDING", "WAITING", "REMOVED"],
  // For a network that needs time to check a large import; here a draft is checked while it is written (decision 0044).
  VALIDATING: ["DRAFT", "REMOVED"],
  WAITING_APPROVAL: ["DRAFT", "PENDING", "WAITING"],
  // Closed, with its whole value reserved; a job sends its payments.
  PENDING: ["RECEIVED"],
  // Closed, without reserved money.
  WAITING: ["DRAFT", "RECEIVED", "REMOVED"],
  RECEIVED: ["FINISHED", "RETURNED"],
  FINISHED: [],
  RETURNED: [],
  REMOVED: [],
} as const satisfies Transitions<BatchStatus>;

export function canMoveBatch(from: BatchStatus, to: BatchStatus): boolean {
  return (batchTransitions as Transitions<BatchStatus>)[from].includes(to);
}

/** Statuses in which the payments were released to the network. */
export const releasedBatchStatuses: readonly BatchStatus[] = statusesFrom<BatchStatus>(
  batchTransitions,
  "RECEIVED",
);

type Statuses = readonly BatchStatus[];

/** Statuses before the close. */
export const openBatchStatuses = ["DRAFT", "VALIDATING", "WAITING_APPROVAL"] as const satisfies Statuses;
/** Statuses of closed batches whose payments have not left. */
export const closedBatchStatuses = ["PENDING", "WAITING"] as const satisfies Statuses;
/** Statuses in which all payments are still CREATED. */
export const unreleasedBatchStatuses = [
  ...openBatchStatuses,
  ...closedBatchStatuses,
] as const satisfies Statuses;
/** Statuses in which money has left or is about to leave. */
export const outgoingBatchStatuses = [
  ...closedBatchStatuses,
  "RECEIVED",
  "FINISHED",
] as const satisfies Statuses;
/** Statuses of batches submitted for payment, which the checks of other batches compare with. */
export const submittedBatchStatuses = [
  "WAITING_APPROVAL",
  ...outgoingBatchStatuses,
  "RETURNED",
] as const satisfies Statuses;
