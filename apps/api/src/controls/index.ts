/** Controls that every outgoing payment passes. */
export {
  countApprovable,
  findApproverRefusal,
  isStillApproved,
  readApprovalStateOfBatch,
  readApprovals,
  recordBatchApproval,
  whyNoApprover,
} from "./batches.ts";
export type { CorrectedPayment } from "./correction.ts";
export type { CarryOutEach, ExecuteRequest } from "./decide-request.ts";
export { boletoCodesLock, equalPaymentsLock } from "./locks.ts";
export { approversBeside, type Deciding, expectAged } from "./need.ts";
export type { RequestPayload } from "./payloads.ts";
export { policyInForce } from "./policy.ts";
export { kindNames, withEmail } from "./request-words.ts";
export {
  expectNotAsked,
  noteFreeCorrections,
  passControls,
  recordUnapprovedOutflow,
} from "./requests.ts";
export { type AskedAnswer, askedFor, findAskedAnswers } from "./requests-store.ts";
export { carryOutPolicy } from "./save-policy.ts";
export { hasApprovals, listApproverIds, narrowApprovals, sqlApprovalsBy, voidApprovals } from "./store.ts";
export { forgetOutflow } from "./sums-store.ts";
