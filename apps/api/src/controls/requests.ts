/**
 * Ways out of money that are no batch. Without a further approver they go on at once; otherwise they wait as a request, which
 * `decide-request.ts` decides.
 */
import { createHash } from "node:crypto";
import type { WayOut } from "@malote/domain/controls";
import { dayMs, hourMs } from "@malote/domain/durations";
import { cents } from "@malote/domain/money";
import { adminIds, expectMayPay, findBankAccount } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { Correction } from "./correction.ts";
import { type Deciding, expectCode, preparersNow, whoCouldApprove } from "./need.ts";
import { policyInForce } from "./policy.ts";
import { readNeedsOfRequests } from "./request-state.ts";
import * as requests from "./requests-store.ts";
import * as store from "./store.ts";
import * as sums from "./sums-store.ts";

/** The intended action, stored so that it can be carried out later as requested. */
export interface Asked {
  kind: requests.RequestKind;
  /** Its object: a payment, a payin, the company. */
  objectId: string;
  /** Centavos that leave; none for a change that moves no money at once. */
  amount: number | null;
  payload: object;
  /** For a correction of failed payments; stored with the payload. */
  correction?: Correction;
  /** What an approver reads. */
  facts: readonly { label: string; value: string }[];
  /** The least number, whatever the amount: the batch it is part of needed as many. */
  approversMin?: number;
}

export type Passed = { kind: "free"; people: readonly string[] } | { kind: "waits"; requestId: string };

const requestDays = 7;
/**
 * Of one person with the credentials they made, or of one credential without a recorded maker: open, or made in the
 * last hour.
 */
const requestsMax = 20;

const digestOf = ({ kind, objectId, payload }: Pick<Asked, "kind" | "objectId" | "payload">) =>
  createHash("sha256")
    .update(JSON.stringify([kind, objectId, payload]))
    .digest("hex");

/**
 * A failed payment is in one open request at most, alone or with others: until that one is decided, the payment
 * cannot be sent again another way. Expects the payment's batch locked.
 */
export function expectNotAsked(asked: ReadonlySet<string>, id: string): void {
  if (asked.has(id)) throw new AppError("payment_awaits_approval");
}

/** Free to go on, with its code where one is required, or a request from now on. No money of a blocked company is. */
export async function passControls(tx: Tx, deciding: Deciding, asked: Asked): Promise<Passed> {
  const { actor, now } = deciding;
  const { correction } = asked;
  if (asked.amount !== null) await expectMayPay(tx);
  const payload = { ...asked.payload, ...(correction && { correction }) };
  const policy = await policyInForce(tx, now);
  const preparers = await preparersNow(tx, [actor.id], { policy, now });
  const [need] = await readNeedsOfRequests(tx, policy, [{ asked, preparers }], { now });
  if (!need) throw new Error("what is asked for has a need");
  if (need.approvers === 0) {
    if (need.stepUp) await expectCode(tx, await store.readApprover(tx, actor), need, deciding.givenCode);
    return { kind: "free", people: preparers.people };
  }

  const counting = { policy, need, preparers: preparers.people, now, way: asked.kind satisfies WayOut };
  const could = await whoCouldApprove(tx, counting);
  // It could never get enough approvals.
  if (could.length < need.approvers) throw new AppError("approvers_too_few", { count: need.approvers });
  await requests.endRequests(tx, now);
  // All who may approve a request are e-mailed about it, also when it is withdrawn at once, and it takes a place in
  // their list.
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
      ...(await requestSnapshot(tx, actor, { ...asked, requested_by: actor.id })),
      approvers: could.map((person) => person.id),
    },
  });
  return { kind: "waits", requestId: id };
}

/** The facts of a request as an event keeps them. */
export const requestSnapshot = async (
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

/** Failed payments sent again without an approval by another person. */
export const noteFreeCorrections = (
  tx: Tx,
  out: { correction: Correction; people: readonly string[]; now: Date },
): Promise<void> => sums.noteCorrections(tx, out);

/** For actions without a request: counted among what their people sent out on this day. */
export const noteFree = (
  tx: Tx,
  out: { id: string; way: WayOut; amount: number; people: readonly string[]; now: Date },
): Promise<void> => sums.noteOutflow(tx, { ...out, amount: cents(out.amount) });
