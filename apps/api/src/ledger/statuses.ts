/** Groups of statuses for the books check, as lists for `IN`. */
import { type BatchStatus, releasedBatchStatuses } from "@malote/domain/batch-status";
import { statusesArrived, statusesPaidOrReturned, type TransferStatus } from "@malote/domain/transfer-status";

const list = (statuses: readonly (BatchStatus | TransferStatus)[]) => `('${statuses.join("', '")}')`;

/** Payments whose money is with the receiver. */
export const arrived = list(statusesArrived);
/** Payments without any reserved money. */
export const notOwed = list(statusesPaidOrReturned);
/** Batches whose payments are or were under way. */
export const released = list(releasedBatchStatuses);
/** Batches whose money was reserved. */
export const reserved = list(["PENDING", ...releasedBatchStatuses]);
