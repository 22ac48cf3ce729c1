/** Groups of statuses that the books check speaks of, as lists for `IN`. */
import { type BatchStatus, releasedBatchStatuses } from "@malote/domain/batch-status";
import { statusesArrived, statusesPaidOrReturned, type TransferStatus } from "@malote/domain/transfer-status";

const list = (statuses: readonly (BatchStatus | TransferStatus)[]) => `('${statuses.join("', '")}')`;

/** Of payments: the money is with the receiver. */
export const arrived = list(statusesArrived);
/** Of payments: nothing is reserved for them any more. */
export const notOwed = list(statusesPaidOrReturned);
/** Of batches: their payments are on their way, or were. */
export const released = list(releasedBatchStatuses);
/** Of batches: their money was reserved. */
export const reserved = list(["PENDING", ...releasedBatchStatuses]);
