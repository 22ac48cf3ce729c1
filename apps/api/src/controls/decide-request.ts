/** Approves or refuses a pending request; the last required approval executes it in the same transaction. */

import type { AuditChanges } from "@malote/domain/audit-trail";
import type { Confirmation } from "@malote/domain/checks";
import type { RequestKind } from "@malote/domain/controls";
import { requireMayPay } from "../company/index.ts";
import { readApprover } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { type AuditContext, audit } from "../platform/audit.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { requireIdentityConfirmed } from "../session/index.ts";
import { type ApprovalCall, requireApprover, requireCode } from "./need.ts";
import { type RequestPayload, readPayload } from "./payloads.ts";
import { correctionOf, readApprovalState } from "./request-state.ts";
import { requestSnapshot } from "./requests.ts";
import * as requests from "./requests-store.ts";
import * as store from "./store.ts";
import * as sums from "./sums-store.ts";

/**
 * Executes a request on behalf of its requester. Throws when it is no longer possible, and then nothing is written.
 * Returns the changes of a setting, for the audit entry of the approval.
 */
export type ExecuteRequest<Kind extends RequestKind> = (
  tx: Tx,
  request: {
    objectId: string;
    /** The requested and approved amount; null for a change that moves no money. */
    amount: number | null;
    payload: RequestPayload<Kind>;
    approvers: readonly { id: string; name: string }[];
    /** The last approver's call, and the checks that they confirmed. */
    last: { call: Pick<ApprovalCall, "actor" | "now" | "requestId">; confirmations: readonly Confirmation[] };
  },
  acting: AuditContext & { actor: Pick<Actor, "kind" | "id" | "name" | "companyId"> },
) => Promise<AuditChanges | undefined>;

export type RequestExecutors = { readonly [Kind in RequestKind]: ExecuteRequest<Kind> };

/** Parses a stored payload and executes its request; no other code parses a payload for execution. */
function executeAs<Kind extends RequestKind>(
  executors: RequestExecutors,
  kind: Kind,
  tx: Tx,
  request: Omit<Parameters<ExecuteRequest<Kind>>[1], "payload"> & { payload: unknown },
  acting: Parameters<ExecuteRequest<Kind>>[2],
): Promise<AuditChanges | undefined> {
  return executors[kind](tx, { ...request, payload: readPayload(kind, request.payload) }, acting);
}

const needsPassword: ReadonlySet<RequestKind> = new Set(["POLICY", "WITHDRAWAL_ACCOUNT"]);

async function lockPending(tx: Tx, id: string, now: Date): Promise<requests.RequestRow> {
  const request = await requests.lockRequest(tx, id);
  if (!request) throw new AppError("not_found");
  if (request.status !== "pending") throw new AppError("approval_request_decided");
  if (request.expires_at <= now) throw new AppError("approval_request_expired");
  if (request.is_obsolete) throw new AppError("approval_request_obsolete");
  return request;
}

export async function approveRequest(
  tx: Tx,
  services: Pick<Services, "clock">,
  deciding: ApprovalCall,
  {
    id,
    digest,
    confirmations = [],
  }: { id: string; digest: string; confirmations?: readonly Confirmation[] | undefined },
  executors: RequestExecutors,
) {
  const { actor, now } = deciding;
  // Locks follow the order of a correction: the batch, then the request, then the sums.
  await requests.lockBatchOfRequest(tx, id);
  const request = await lockPending(tx, id, now);
  // The company may have been blocked after the request; rejecting it stays possible.
  if (request.amount !== null) await requireMayPay(tx);
  const { missing, approvers } = await recordApproval(tx, services, deciding, request, digest);
  // The snapshot precedes the execution, which could make `isFirst` false.
  const then = await requestSnapshot(tx, actor, request);
  const changes =
    missing === 0
      ? await executeRequest(tx, deciding, request, { approvers, confirmations }, executors)
      : undefined;
  await audit(tx, deciding, "approval_request_approved", request.id, {
    kind: request.kind,
    object: request.object_id,
    amount: request.amount,
    facts: request.facts,
    requested_by: request.requested_by_name,
    missing,
    ...(changes && { changes }),
  });
  await emit(tx, emissionOf(deciding), {
    type: "approval.given",
    objectId: request.id,
    payload: { ...then, missing },
  });
  return { status: missing === 0 ? ("approved" as const) : ("pending" as const), missing };
}

type Approvers = readonly { id: string; name: string }[];

/** Adds the approval, once per approver. Returns how many are missing and who approved. */
async function recordApproval(
  tx: Tx,
  services: Pick<Services, "clock">,
  { actor, now, givenCode }: ApprovalCall,
  request: requests.RequestRow,
  digest: string,
): Promise<{ missing: number; approvers: Approvers }> {
  const approver = await readApprover(tx, actor);
  const { counting, need, approvals } = await readApprovalState(tx, request, now);
  requireApprover(approver, counting);
  // All other controls rely on these two kinds, so the approver types the password as the requester did: a stolen token
  // alone changes neither.
  if (needsPassword.has(request.kind)) await requireIdentityConfirmed(tx, services, actor);
  if (digest !== request.digest) throw new AppError("approval_content_changed");
  const hasApproved = approvals.some((approval) => approval.user_id === approver.id);
  // A second approval by the same approver does not count twice; if the need has decreased meanwhile, it executes the
  // request.
  if (hasApproved && approvals.length < need.approvers) throw new AppError("approved_already");
  const withFactor = await requireCode(tx, approver, need, givenCode);
  if (!hasApproved) {
    await store.insertApproval(tx, {
      id: uuidv7(now.getTime()),
      of: { requestId: request.id },
      revision: null,
      digest,
      by: actor,
      withFactor,
      now,
    });
  }
  const given = approvals.length + (hasApproved ? 0 : 1);
  return {
    missing: Math.max(0, need.approvers - given),
    approvers: [...approvals.map((one) => ({ id: one.user_id, name: one.user_name })), actor],
  };
}

/** Executes the request on behalf of the requester and adds it to the outflows of its people. */
async function executeRequest(
  tx: Tx,
  { actor, now, requestId }: ApprovalCall,
  request: requests.RequestRow,
  { approvers, confirmations }: { approvers: Approvers; confirmations: readonly Confirmation[] },
  executors: RequestExecutors,
): Promise<AuditChanges | undefined> {
  await requests.decideRequest(tx, request.id, { status: "approved", by: actor, reason: null, now });
  const changes = await executeAs(
    executors,
    request.kind,
    tx,
    {
      objectId: request.object_id,
      amount: request.amount,
      payload: request.payload,
      last: { call: { actor, now, requestId }, confirmations },
      approvers,
    },
    {
      actor: {
        kind: request.requested_by_kind,
        id: request.requested_by,
        name: request.requested_by_name,
        companyId: actor.companyId,
      },
      now,
      requestId,
    },
  );
  const people = request.preparers;
  const correction = correctionOf(request);
  // A payment that is resent unchanged does not count a second time.
  const payments = correction?.payments.filter(({ redirects }) => redirects) ?? [];
  if (correction && payments.length > 0)
    await sums.saveCorrections(tx, { correction: { ...correction, payments }, people, now });
  if (request.amount !== null && request.kind !== "CORRECTION")
    await sums.saveOutflow(tx, { id: request.id, kind: request.kind, amount: request.amount, people, now });
  return changes;
}

/** Refuses the request as an approver, or withdraws it as the requester. */
export async function rejectRequest(
  tx: Tx,
  deciding: ApprovalCall,
  { id, reason }: { id: string; reason: string | null },
) {
  const { actor, now } = deciding;
  const request = await lockPending(tx, id, now);
  const isOwn = request.requested_by === actor.id;
  if (!isOwn) {
    const { counting } = await readApprovalState(tx, request, now);
    requireApprover(await readApprover(tx, actor), { ...counting, preparers: [] });
  }
  const status = isOwn ? ("cancelled" as const) : ("rejected" as const);
  await requests.decideRequest(tx, request.id, { status, by: actor, reason, now });
  await audit(tx, deciding, `approval_request_${status}`, request.id, {
    kind: request.kind,
    object: request.object_id,
    reason,
  });
  await emit(tx, emissionOf(deciding), {
    type: "approval.refused",
    objectId: request.id,
    payload: { ...(await requestSnapshot(tx, actor, request)), isOwn, reason },
  });
  return { status };
}
