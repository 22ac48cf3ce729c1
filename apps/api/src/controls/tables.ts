/** Tables that this folder owns, and those of others that its statements read, each with the reason (decision 0060). */
export const owns = ["approval_notices", "approval_requests", "approvals", "control_policies", "outflows"];

export const reads = {
  transfers: "sums of what a receiver gets; whether a correction has anything left to send",
  batches: "sums of closed batches; the batch of a correction is locked before its request",
  infractions: "whether an infraction was answered meanwhile",
};
