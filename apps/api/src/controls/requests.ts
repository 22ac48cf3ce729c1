/**
 * Ways out of money that are no batch. Where nobody else is asked for they go on at once; elsewhere they wait as a request, and
 * the last approval it needs carries it out in the same transaction.
 */
import { createHash } from "node:crypto";
import { errorText } from "@malote/contracts/errors";
import type { AuditChanges } from "@malote/domain/audit-trail";
import type { Confirmation } from "@malote/domain/checks";
import { type Need, needOf, newSince, type PolicyInForce, type WayOut } from "@malote/domain/controls";
import { cents } from "@malote/domain/money";
import { AppError } from "../platform/app-error.ts";
import { type Acting, audit } from "../platform/audit.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Parts } from "../platform/parts.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { emailApprovers, requestTitle } from "./emails.ts";
import {
  type Correction,
  countingApprovals,
  type Deciding,
  expectApprover,
  expectCode,
  figuresOf,
  figuresOfCorrection,
  preparersNow,
  whoCouldApprove,
} from "./need.ts";
import { policyInForce } from "./policy.ts";
import * as store from "./store.ts";

/** What somebody wants to do, so that it can be done later as they asked for it. */
export interface Asked {
  kind: store.RequestKind;
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
/** Of one person or credential: open, or asked for in the last hour. */
const requestsMax = 20;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const correctionOf = ({ payload }: Pick<store.RequestRow, "payload">): Correction | undefined =>
  (payload as { correction?: Correction }).correction;

const digestOf = ({ kind, objectId, payload }: Pick<Asked, "kind" | "objectId" | "payload">) =>
  createHash("sha256")
    .update(JSON.stringify([kind, objectId, payload]))
    .digest("hex");

/**
 * Beside whoever asks. Who let them in does not approve for them, and is not passed over either; whom they made up a short while
 * ago is nobody to wait for.
 */
async function countOtherAdmins(tx: Tx, policy: PolicyInForce, own: readonly string[], now: Date) {
  const [admins, made] = await Promise.all([
    store.listApprovers(tx, { operatorApprovers: [] }),
    store.madeBy(tx, own, newSince(policy, now)),
  ]);
  return admins.filter(({ id }) => !own.includes(id) && !made.includes(id)).length;
}

async function needOfRequest(
  tx: Tx,
  policy: PolicyInForce,
  asked: Pick<Asked, "kind" | "objectId" | "amount" | "approversMin" | "correction">,
  preparers: store.Preparers & { own: readonly string[] },
  now: Date,
  isRead = false,
): Promise<Need> {
  const { kind, objectId, amount, approversMin = 0, correction } = asked;
  const otherAdmins = kind === "POLICY" ? await countOtherAdmins(tx, policy, preparers.own, now) : 0;
  const { people } = preparers;
  const figures = correction
    ? await figuresOfCorrection(tx, policy, { correction, people, now, isRead })
    : await figuresOf(tx, policy, { id: objectId, amount: amount ?? 0, people, now, isRead });
  const need = needOf(policy, kind satisfies WayOut, figures, {
    hasUnknownPreparer: preparers.hasUnknown,
    otherAdmins,
  });
  return { ...need, approvers: Math.max(need.approvers, approversMin) };
}

/**
 * A failed payment is in one open request at most, alone or with others: until somebody decides about that one, nobody sends the
 * payment again another way. Expects the payment's batch locked.
 */
export function expectNotAsked(asked: ReadonlySet<string>, id: string): void {
  if (asked.has(id)) throw new AppError("payment_awaits_approval");
}

/** Free, with its code where one is asked for, or a request from now on. */
export async function passControls(
  tx: Tx,
  parts: Pick<Parts, "jobs" | "config">,
  deciding: Deciding,
  asked: Asked,
): Promise<Passed> {
  const { actor, now } = deciding;
  const { correction } = asked;
  const payload = { ...asked.payload, ...(correction && { correction }) };
  const policy = await policyInForce(tx, now);
  const preparers = await preparersNow(tx, [actor.id], { policy, now });
  const need = await needOfRequest(tx, policy, asked, preparers, now);
  if (need.approvers === 0) {
    if (need.stepUp) await expectCode(tx, await store.readApprover(tx, actor), need, deciding.givenCode);
    return { kind: "free", people: preparers.people };
  }

  const counting = { policy, need, preparers: preparers.people, now, way: asked.kind satisfies WayOut };
  const could = await whoCouldApprove(tx, counting);
  // It would wait for nobody.
  if (could.length < need.approvers) throw new AppError("approvers_too_few", { count: need.approvers });
  await store.endRequests(tx, now);
  // Each is written to everybody who may approve it, also when it is taken back at once, and takes a place in their list.
  await store.lockAsking(tx, actor.id);
  if ((await store.countAsked(tx, actor.id, new Date(now.getTime() - hourMs))) >= requestsMax)
    throw new AppError("approval_requests_too_many", { max: requestsMax });
  const id = uuidv7(now.getTime());
  const isNew = await store.insertRequest(tx, {
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
  await emailApprovers(tx, parts, { requestId: id, people: could, now });
  return { kind: "waits", requestId: id };
}

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

export type CarryOutEach = Readonly<Record<store.RequestKind, CarryOut>>;

async function lockPending(tx: Tx, id: string, now: Date): Promise<store.RequestRow> {
  const request = await store.lockRequest(tx, id);
  if (!request) throw new AppError("not_found");
  if (request.status !== "pending") throw new AppError("approval_request_decided");
  if (request.expires_at <= now) throw new AppError("approval_request_expired");
  if (request.is_obsolete) throw new AppError("approval_request_obsolete");
  return request;
}

/** What stands between a request and being carried out, at this moment. */
async function standingOf(tx: Tx, request: store.RequestRow, now: Date, { isRead = false } = {}) {
  const policy = await policyInForce(tx, now);
  const [{ people }, { people: own }] = await Promise.all([
    store.preparersOf(tx, request.preparers),
    store.preparersOf(tx, [request.requested_by]),
  ]);
  const preparers = { own, people, hasUnknown: request.has_unknown_preparer };
  const correction = correctionOf(request);
  const need = await needOfRequest(
    tx,
    policy,
    {
      kind: request.kind,
      objectId: request.object_id,
      amount: request.amount,
      approversMin: request.approvers_min,
      // What was sent since it was asked for counts by now.
      ...(correction && { correction }),
    },
    preparers,
    now,
    isRead,
  );
  const counting = { policy, need, preparers: preparers.people, now, way: request.kind satisfies WayOut };
  const approvals = await countingApprovals(tx, await store.listApprovals(tx, { requestId: request.id }), {
    ...counting,
    digest: request.digest,
  });
  return { counting, need, approvals };
}

export async function approveRequest(
  tx: Tx,
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
  await store.lockBatchOfRequest(tx, id);
  const request = await lockPending(tx, id, now);
  const approver = await store.readApprover(tx, actor);
  const { counting, need, approvals } = await standingOf(tx, request, now);
  expectApprover(approver, counting);
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
  let changes: AuditChanges | undefined;
  if (missing === 0) {
    await store.decideRequest(tx, request.id, { status: "approved", by: actor, reason: null, now });
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
      await store.noteCorrections(tx, {
        correction: { ...correction, payments },
        people: request.preparers,
        now,
      });
    if (request.amount !== null && request.kind !== "CORRECTION")
      await store.noteOutflow(tx, {
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
    const { counting } = await standingOf(tx, request, now);
    expectApprover(await store.readApprover(tx, actor), { ...counting, preparers: [] });
  }
  const status = isOwn ? ("cancelled" as const) : ("rejected" as const);
  await store.decideRequest(tx, request.id, { status, by: actor, reason, now });
  await audit(tx, deciding, `approval_request_${status}`, request.id, {
    kind: request.kind,
    object: request.object_id,
    reason,
  });
  return { status };
}

const isOpen = ({ status }: store.RequestRow) => status === "pending";
/** The oldest; the others follow as these are decided about. */
const openShownMax = 100;

/** As screens show them: admins and named operators see all, everybody else what they asked for. */
export async function listRequests(tx: Tx, { actor, now }: Pick<Deciding, "actor" | "now">) {
  const policy = await policyInForce(tx, now);
  const mayApprove = actor.profile === "admin" || policy.operatorApprovers.includes(actor.id);
  const [rows, approver] = await Promise.all([
    store.listRequests(tx, { now, by: mayApprove ? undefined : actor.id }),
    store.readApprover(tx, actor),
  ]);
  const shown = [...rows.filter(isOpen).slice(0, openShownMax), ...rows.filter((row) => !isOpen(row))];
  const askers = await store.emailsOf(
    tx,
    shown.map(({ requested_by }) => requested_by),
  );
  return {
    data: await Promise.all(
      shown.map(async (row) => ({
        ...(await onWire(tx, row, approver, now)),
        requested_by_email: askers.get(row.requested_by)?.email ?? null,
      })),
    ),
    open_count: rows.filter(isOpen).length,
  };
}

async function onWire(
  tx: Tx,
  row: store.RequestRow,
  approver: Parameters<typeof expectApprover>[0],
  now: Date,
) {
  const isOpen = row.status === "pending";
  const standing = isOpen ? await standingOf(tx, row, now, { isRead: true }) : undefined;
  const given = standing?.approvals ?? (await store.listApprovals(tx, { requestId: row.id }));
  const why = standing ? refusalOf(() => expectApprover(approver, standing.counting)) : undefined;
  return {
    id: row.id,
    kind: row.kind,
    title: requestTitle(row),
    status: row.status,
    amount: row.amount,
    facts: row.facts,
    digest: row.digest,
    requested_by: row.requested_by_name,
    is_own: row.requested_by === approver.id,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
    decided_by: row.decided_by_name,
    reason: row.reason,
    approvals: given.map((one) => ({ name: one.user_name, at: one.approved_at.toISOString() })),
    missing: standing ? Math.max(0, standing.need.approvers - given.length) : 0,
    may_approve: isOpen && !why && !given.some((one) => one.user_id === approver.id),
    why_not: why ?? null,
    asks_for_code: standing?.need.stepUp === true,
  };
}

/** The sentence of a refusal instead of the refusal itself. */
export function refusalOf(ask: () => void): string | undefined {
  try {
    ask();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return errorText(error.code, error.data);
    throw error;
  }
}

/** Failed payments that nobody else was asked about. */
export const noteFreeCorrections = (
  tx: Tx,
  out: { correction: Correction; people: readonly string[]; now: Date },
): Promise<void> => store.noteCorrections(tx, out);

/** For what happens at once: it counts among what its people sent out on this day. */
export const noteFree = (
  tx: Tx,
  out: { id: string; way: WayOut; amount: number; people: readonly string[]; now: Date },
): Promise<void> => store.noteOutflow(tx, { ...out, amount: cents(out.amount) });
