import { statusesFrom, type Transitions } from "./transitions.ts";

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

/** Every step a batch may take. */
export const batchTransitions = {
  DRAFT: ["VALIDATING", "WAITING_APPROVAL", "PENDING", "WAITING", "REMOVED"],
  // Of a network that needs time to check a large import; here a draft is checked while it is written (decision
  // 0044).
  VALIDATING: ["DRAFT", "REMOVED"],
  WAITING_APPROVAL: ["DRAFT", "PENDING", "WAITING"],
  // Closed, with its whole value reserved: its payments leave in a job.
  PENDING: ["RECEIVED"],
  // Closed, with nothing reserved yet.
  WAITING: ["DRAFT", "RECEIVED", "REMOVED"],
  RECEIVED: ["FINISHED", "RETURNED"],
  FINISHED: [],
  RETURNED: [],
  REMOVED: [],
} as const satisfies Transitions<BatchStatus>;

export function canMoveBatch(from: BatchStatus, to: BatchStatus): boolean {
  return (batchTransitions as Transitions<BatchStatus>)[from].includes(to);
}

/** Its payments are on their way, or were. */
export const releasedBatchStatuses: readonly BatchStatus[] = statusesFrom<BatchStatus>(
  batchTransitions,
  "RECEIVED",
);

type Statuses = readonly BatchStatus[];

/** Not closed yet. */
export const openBatchStatuses = ["DRAFT", "VALIDATING", "WAITING_APPROVAL"] as const satisfies Statuses;
/** Closed, and its payments have not left. */
export const closedBatchStatuses = ["PENDING", "WAITING"] as const satisfies Statuses;
/** Its payments are all still CREATED. */
export const unreleasedBatchStatuses = [
  ...openBatchStatuses,
  ...closedBatchStatuses,
] as const satisfies Statuses;
/** Its money went out, or is going to. */
export const outgoingBatchStatuses = [
  ...closedBatchStatuses,
  "RECEIVED",
  "FINISHED",
] as const satisfies Statuses;
/** Submitted for payment: checks of another batch compare with its payments. */
export const submittedBatchStatuses = [
  "WAITING_APPROVAL",
  ...outgoingBatchStatuses,
  "RETURNED",
] as const satisfies Statuses;
