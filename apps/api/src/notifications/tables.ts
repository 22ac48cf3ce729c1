/** Tables that this folder owns, and those of others that its statements read, each with the reason (decision 0060). */
export const owns = ["notifications", "notifications_seen"];

export const reads = {
  batches: "the batch of a notification with its present name and counts",
};
