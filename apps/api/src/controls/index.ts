/** Controls that every outgoing payment passes. */
export {
  countApprovable,
  findApproverRefusal,
  findNoApproverReason,
  isStillApproved,
  readApprovalStateOfBatch,
  readApprovals,
  recordBatchApproval,
} from "./batches.ts";
export type { CorrectedPayment } from "./correction.ts";
export type { ExecuteRequest, RequestExecutors } from "./decide-request.ts";
export { boletoCodesLock, equalPaymentsLock } from "./locks.ts";
export { type ApprovalCall, listOtherApprovers, requireAged } from "./need.ts";
export type { RequestPayload } from "./payloads.ts";
export { readPolicyInForce } from "./policy.ts";
export { kindNames, withEmail } from "./request-words.ts";
export {
  passControls,
  recordUnapprovedCorrections,
  recordUnapprovedOutflow,
  requireNotRequested,
} from "./requests.ts";
export { listRequestedAnswers, listRequestedPayments, type RequestedAnswer } from "./requests-store.ts";
export { executePolicy } from "./save-policy.ts";
export { hasApprovals, listApproverIds, narrowApprovals, sqlApprovalsBy, voidApprovals } from "./store.ts";
export { deleteOutflow } from "./sums-store.ts";
