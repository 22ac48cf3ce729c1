/**
 * Ways out of money that are no batch. Where nobody else is asked for they go on at once; elsewhere they wait as a request, and
 * the last approval it needs carries it out in the same transaction.
 */
import { createHash } from "node:crypto";
import type { AuditChanges } from "@malote/domain/audit-trail";
import type { Confirmation } from "@malote/domain/checks";
import type { WayOut } from "@malote/domain/controls";
import { cents } from "@malote/domain/money";
import { adminIds, findBankAccount } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import { type Acting, audit } from "../platform/audit.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { expectConfirmed } from "../session/index.ts";
import {
  type Correction,
  type Deciding,
  expectApprover,
  expectCode,
  preparersNow,
  whoCouldApprove,
} from "./need.ts";
import { policyInForce } from "./policy.ts";
import { approvalStateOf, correctionOf, needsOfRequests } from "./request-state.ts";
import * as requests from "./requests-store.ts";
import * as store from "./store.ts";
import * as sums from "./sums-store.ts";

/** What somebody wants to do, so that it can be done later as they asked for it. */
export interface Asked {
  kind: requests.RequestKind;
  /** What it is about: a payment, a payin, the company. */
  objectId: string;
  /** Centavos that leave; none for a change that moves nothing at once. */
  amount: number | null;
  payload: object;
  /** Of one that sends failed payments again; kept with the payload. */
  correction?: Correction;
  /** What an approver reads. */
  facts: readonly { label: string; value: string }[];
  /** At least so many, whatever the amount: what it is part of needed as many. */
  approversMin?: number;
}

export type Passed = { kind: "free"; people: readonly string[] } | { kind: "waits"; requestId: string };

const requestDays = 7;
/** Of one person with the credentials they made, or of one credential that nobody made: open, or asked for in the last hour. */
const requestsMax = 20;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const digestOf = ({ kind, objectId, payload }: Pick<Asked, "kind" | "objectId" | "payload">) =>
  createHash("sha256")
    .update(JSON.stringify([kind, objectId, payload]))
    .digest("hex");

/**
 * A failed payment is in one open request at most, alone or with others: until somebody decides about that one, nobody sends the
 * payment again another way. Expects the payment's batch locked.
 */
export function expectNotAsked(asked: ReadonlySet<string>, id: string): void {
  if (asked.has(id)) throw new AppError("payment_awaits_approval");
}

/** Free, with its code where one is asked for, or a request from now on. */
export async function passControls(tx: Tx, deciding: Deciding, asked: Asked): Promise<Passed> {
  const { actor, now } = deciding;
  const { correction } = asked;
  const payload = { ...asked.payload, ...(correction && { correction }) };
  const policy = await policyInForce(tx, now);
  const preparers = await preparersNow(tx, [actor.id], { policy, now });
  const [need] = await needsOfRequests(tx, policy, [{ asked, preparers }], { now });
  if (!need) throw new Error("what is asked for has a need");
  if (need.approvers === 0) {
    if (need.stepUp) await expectCode(tx, await store.readApprover(tx, actor), need, deciding.givenCode);
    return { kind: "free", people: preparers.people };
  }

  const counting = { policy, need, preparers: preparers.people, now, way: asked.kind satisfies WayOut };
  const could = await whoCouldApprove(tx, counting);
  // It would wait for nobody.
  if (could.length < need.approvers) throw new AppError("approvers_too_few", { count: need.approvers });
  await requests.endRequests(tx, now);
  // Each is written to everybody who may approve it, also when it is taken back at once, and takes a place in their list.
  await requests.lockAsking(tx, preparers.own);
  if ((await requests.countAsked(tx, preparers.own, new Date(now.getTime() - hourMs))) >= requestsMax)
    throw new AppError("approval_requests_too_many", { max: requestsMax });
  const id = uuidv7(now.getTime());
  const isNew = await requests.insertRequest(tx, {
    id,
    kind: asked.kind,
    object_id: asked.objectId,
    payload,
    facts: [...asked.facts],
    amount: asked.amount,
    digest: digestOf({ ...asked, payload }),
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
    kind: asked.kind,
    object: asked.objectId,
    amount: asked.amount,
    facts: asked.facts,
  });
  await emit(tx, emissionOf(deciding), {
    type: "approval.requested",
    objectId: id,
    payload: {
      ...(await requestThen(tx, actor, { ...asked, requested_by: actor.id })),
      approvers: could.map((person) => person.id),
    },
  });
  return { kind: "waits", requestId: id };
}

/** As an event keeps it. */
const requestThen = async (
  tx: Tx,
  by: { id: string; name: string },
  { kind, facts, requested_by }: Pick<Asked, "kind" | "facts"> & { requested_by: string },
) => ({
  admins: await adminIds(tx),
  by: { id: by.id, name: by.name },
  requestedBy: requested_by,
  kind,
  facts: facts.map(({ label, value }) => ({ label, value })),
  ...(kind === "WITHDRAWAL_ACCOUNT" && { isFirst: (await findBankAccount(tx)) === undefined }),
});

/**
 * Does what was asked for, as the one who asked. Refuses what can no longer be done; then nothing was written. Answers what
 * changed, where a setting did: the approval's entry in the trail says it.
 */
export type CarryOut = (
  tx: Tx,
  request: {
    objectId: string;
    payload: unknown;
    approvers: readonly { id: string; name: string }[];
    /** The last of them, and what they ticked of it. */
    last: { call: Pick<Deciding, "actor" | "now" | "requestId">; confirmations: readonly Confirmation[] };
  },
  acting: Acting & { actor: Pick<Actor, "kind" | "id" | "name" | "companyId"> },
) => Promise<AuditChanges | undefined>;

export type CarryOutEach = Readonly<Record<requests.RequestKind, CarryOut>>;

const needsPassword: ReadonlySet<requests.RequestKind> = new Set(["POLICY", "WITHDRAWAL_ACCOUNT"]);

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
  deciding: Deciding,
  {
    id,
    digest,
    confirmations = [],
  }: { id: string; digest: string; confirmations?: readonly Confirmation[] | undefined },
  carryOut: CarryOutEach,
) {
  const { actor, now, requestId } = deciding;
  // As whoever corrects does: the batch, then the request, then the sums.
  await requests.lockBatchOfRequest(tx, id);
  const request = await lockPending(tx, id, now);
  const approver = await store.readApprover(tx, actor);
  const { counting, need, approvals } = await approvalStateOf(tx, request, now);
  expectApprover(approver, counting);
  // What all others rely on, as whoever asked for it had to: a stolen token alone lets no control go.
  if (needsPassword.has(request.kind)) await expectConfirmed(tx, services, actor);
  if (digest !== request.digest) throw new AppError("approval_content_changed");
  const hasApproved = approvals.some((approval) => approval.user_id === approver.id);
  // Said again by somebody who did, it counts once; where it suffices by now, it is carried out.
  if (hasApproved && approvals.length < need.approvers) throw new AppError("approved_already");
  const withFactor = await expectCode(tx, approver, need, deciding.givenCode);
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
  const missing = Math.max(0, need.approvers - given);
  // As it is before it is carried out: what is asked for may be the first of its kind.
  const then = await requestThen(tx, actor, request);
  let changes: AuditChanges | undefined;
  if (missing === 0) {
    await requests.decideRequest(tx, request.id, { status: "approved", by: actor, reason: null, now });
    changes = await carryOut[request.kind](
      tx,
      {
        objectId: request.object_id,
        payload: request.payload,
        last: { call: { actor, now, requestId }, confirmations },
        approvers: [...approvals.map((one) => ({ id: one.user_id, name: one.user_name })), actor],
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
    const correction = correctionOf(request);
    // What is sent again as it was approved counts no second time.
    const payments = correction?.payments.filter(({ redirects }) => redirects) ?? [];
    if (correction && payments.length > 0)
      await sums.noteCorrections(tx, {
        correction: { ...correction, payments },
        people: request.preparers,
        now,
      });
    if (request.amount !== null && request.kind !== "CORRECTION")
      await sums.noteOutflow(tx, {
        id: request.id,
        way: request.kind,
        amount: request.amount,
        people: request.preparers,
        now,
      });
  }
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

/** A no, by whoever may say yes; or taken back by whoever asked. */
export async function rejectRequest(
  tx: Tx,
  deciding: Deciding,
  { id, reason }: { id: string; reason: string | null },
) {
  const { actor, now } = deciding;
  const request = await lockPending(tx, id, now);
  const isOwn = request.requested_by === actor.id;
  if (!isOwn) {
    const { counting } = await approvalStateOf(tx, request, now);
    expectApprover(await store.readApprover(tx, actor), { ...counting, preparers: [] });
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
    payload: { ...(await requestThen(tx, actor, request)), isOwn, reason },
  });
  return { status };
}

/** Failed payments that nobody else was asked about. */
export const noteFreeCorrections = (
  tx: Tx,
  out: { correction: Correction; people: readonly string[]; now: Date },
): Promise<void> => sums.noteCorrections(tx, out);

/** For what happens at once: it counts among what its people sent out on this day. */
export const noteFree = (
  tx: Tx,
  out: { id: string; way: WayOut; amount: number; people: readonly string[]; now: Date },
): Promise<void> => sums.noteOutflow(tx, { ...out, amount: cents(out.amount) });
