/**
 * Outgoing payments outside batches, and other controlled changes. Without a further approver they proceed at once;
 * otherwise they are stored as a request, which `decide-request.ts` decides.
 */

import { createHash } from "node:crypto";
import type { OutflowKind, RequestKind } from "@malote/domain/controls";
import { dayMs, hourMs } from "@malote/domain/durations";
import { cents } from "@malote/domain/money";
import { findBankAccount, requireMayPay } from "../company/index.ts";
import { listAdminIds, readApprover } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { Correction } from "./correction.ts";
import { type ApprovalCall, listPossibleApprovers, readCurrentPreparers, requireCode } from "./need.ts";
import { readPolicyInForce } from "./policy.ts";
import { readNeedsOfRequests } from "./request-state.ts";
import * as requests from "./requests-store.ts";
import * as sums from "./sums-store.ts";

/** The intended action, stored so that it can be executed later as requested. */
export interface ApprovalDraft {
  kind: RequestKind;
  /** Id of the payment, the payin, the company or another object. */
  objectId: string;
  /** Centavos that leave; null for a change that moves no money at once. */
  amount: number | null;
  payload: object;
  /** Failed payments to resend; stored with the payload. */
  correction?: Correction;
  /** Lines that an approver reads. */
  facts: readonly { label: string; value: string }[];
  /** Minimum number of approvers for any amount: the payment's batch needed as many. */
  approversMin?: number;
}

export type ControlsResult =
  | { kind: "free"; people: readonly string[] }
  | { kind: "waits"; requestId: string };

const requestDays = 7;
/**
 * Maximum number of requests that are open or were made in the last hour, per person with the credentials they made, or
 * per credential without a recorded maker.
 */
const requestsMax = 20;

const digestOf = ({ kind, objectId, payload }: Pick<ApprovalDraft, "kind" | "objectId" | "payload">) =>
  createHash("sha256")
    .update(JSON.stringify([kind, objectId, payload]))
    .digest("hex");

/**
 * Refuses a failed payment that is in an open request, alone or with others: it cannot be resent another way until
 * that request is decided. Expects the payment's batch locked.
 */
export function requireNotRequested(requested: ReadonlySet<string>, id: string): void {
  if (requested.has(id)) throw new AppError("payment_awaits_approval");
}

/**
 * Lets the action proceed (checking the step-up code) or stores an approval request. Refuses payments of a blocked
 * company.
 */
export async function passControls(
  tx: Tx,
  deciding: ApprovalCall,
  draft: ApprovalDraft,
): Promise<ControlsResult> {
  const { actor, now } = deciding;
  const { correction } = draft;
  if (draft.amount !== null) await requireMayPay(tx);
  const payload = { ...draft.payload, ...(correction && { correction }) };
  const policy = await readPolicyInForce(tx, now);
  const preparers = await readCurrentPreparers(tx, [actor.id], { policy, now });
  const [need] = await readNeedsOfRequests(tx, policy, [{ request: draft, preparers }], { now });
  if (!need) throw new Error("an approval request has no need computed");
  if (need.approvers === 0) {
    if (need.stepUp) await requireCode(tx, await readApprover(tx, actor), need, deciding.givenCode);
    return { kind: "free", people: preparers.people };
  }

  const counting = { policy, need, preparers: preparers.people, now, kind: draft.kind satisfies OutflowKind };
  const could = await listPossibleApprovers(tx, counting);
  // Such a request could never get enough approvals.
  if (could.length < need.approvers) throw new AppError("approvers_too_few", { count: need.approvers });
  await requests.endRequests(tx, now);
  // Each request, even one withdrawn at once, is e-mailed to all who may approve it and takes a place in their list.
  await requests.lockRequester(tx, preparers.own);
  if ((await requests.countRequestsBy(tx, preparers.own, new Date(now.getTime() - hourMs))) >= requestsMax)
    throw new AppError("approval_requests_too_many", { max: requestsMax });
  const id = uuidv7(now.getTime());
  const isNew = await requests.insertRequest(tx, {
    id,
    kind: draft.kind,
    object_id: draft.objectId,
    payload,
    facts: [...draft.facts],
    amount: draft.amount,
    digest: digestOf({ ...draft, payload }),
    requested_by_kind: actor.kind,
    requested_by: actor.id,
    requested_by_name: actor.name,
    preparers: preparers.people,
    has_unknown_preparer: preparers.hasUnknown,
    approvers_min: need.approvers,
    created_at: now,
    expires_at: new Date(now.getTime() + requestDays * dayMs),
  });
  if (!isNew) throw new AppError("approval_request_open");
  await audit(tx, deciding, "approval_requested", id, {
    kind: draft.kind,
    object: draft.objectId,
    amount: draft.amount,
    facts: draft.facts,
  });
  await emit(tx, emissionOf(deciding), {
    type: "approval.requested",
    objectId: id,
    payload: {
      ...(await requestSnapshot(tx, actor, { ...draft, requested_by: actor.id })),
      approvers: could.map((person) => person.id),
    },
  });
  return { kind: "waits", requestId: id };
}

/** Returns the facts of a request that its events store. */
export const requestSnapshot = async (
  tx: Tx,
  by: { id: string; name: string },
  { kind, facts, requested_by }: Pick<ApprovalDraft, "kind" | "facts"> & { requested_by: string },
) => ({
  admins: await listAdminIds(tx),
  by: { id: by.id, name: by.name },
  requestedBy: requested_by,
  kind,
  facts: facts.map(({ label, value }) => ({ label, value })),
  ...(kind === "WITHDRAWAL_ACCOUNT" && { isFirst: (await findBankAccount(tx)) === undefined }),
});

/** Adds failed payments that were resent without another person's approval to the outflows. */
export const recordUnapprovedCorrections = (
  tx: Tx,
  out: { correction: Correction; people: readonly string[]; now: Date },
): Promise<void> => sums.saveCorrections(tx, out);

/** Adds an action without a request to what its people sent out on this day. */
export const recordUnapprovedOutflow = (
  tx: Tx,
  out: { id: string; kind: OutflowKind; amount: number; people: readonly string[]; now: Date },
): Promise<void> => sums.saveOutflow(tx, { ...out, amount: cents(out.amount) });
