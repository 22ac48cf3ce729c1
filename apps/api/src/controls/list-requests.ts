/** Requests in the form that screens show. */

import { errorText } from "@malote/contracts/errors";
import { instantOrNull } from "@malote/contracts/wire";
import { isNamedOperator, refusalOfApprover } from "@malote/domain/controls";
import { workShownMax } from "../home/index.ts";
import { readApprover, readEmails, readPreparers } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { type ApprovalCall, requireApprover } from "./need.ts";
import { readPolicyInForce } from "./policy.ts";
import { type ApprovalState, readApprovalStates } from "./request-state.ts";
import { requestTitle } from "./request-words.ts";
import * as requests from "./requests-store.ts";
import * as store from "./store.ts";

/** Returns all requests for admins and named operators, and their own for everyone else. */
export async function listRequests(tx: Tx, { actor, now }: Pick<ApprovalCall, "actor" | "now">) {
  const policy = await readPolicyInForce(tx, now);
  const mayApprove = actor.profile === "admin" || isNamedOperator(actor, policy);
  const [{ rows, openCount }, approver] = await Promise.all([
    requests.listRequests(tx, { now, by: mayApprove ? undefined : actor.id }),
    readApprover(tx, actor),
  ]);
  const open = rows.filter(({ status }) => status === "pending");
  const decided = rows.filter(({ status }) => status !== "pending");
  const [standings, approvalsOf, askers] = await Promise.all([
    readApprovalStates(tx, open, { now, isRead: true }),
    store.listApprovalsOfRequests(
      tx,
      decided.map(({ id }) => id),
    ),
    readEmails(
      tx,
      rows.map(({ requested_by }) => requested_by),
    ),
  ]);
  const emailOf = (row: requests.RequestRow) => ({
    requested_by_email: askers.get(row.requested_by)?.email ?? null,
  });
  return {
    data: [
      ...open.map((row, n) => ({
        ...onWire(row, approver, standings[n]?.approvals ?? [], standings[n]),
        ...emailOf(row),
      })),
      ...decided.map((row) => ({ ...onWire(row, approver, approvalsOf(row.id)), ...emailOf(row) })),
    ],
    open_count: openCount,
  };
}

function onWire(
  row: requests.RequestRow,
  approver: Parameters<typeof requireApprover>[0],
  given: readonly store.ApprovalRow[],
  state?: ApprovalState,
) {
  const why = state ? refusalTextOf(() => requireApprover(approver, state.counting)) : undefined;
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
    decided_at: instantOrNull(row.decided_at),
    decided_by: row.decided_by_name,
    reason: row.reason,
    approvals: given.map((one) => ({ name: one.user_name, at: one.approved_at.toISOString() })),
    missing: state ? Math.max(0, state.need.approvers - given.length) : 0,
    may_approve: state !== undefined && !why && !given.some((one) => one.user_id === approver.id),
    why_not: why ?? null,
    asks_for_code: state?.need.stepUp === true,
  };
}

/** Upper bound of the count that every page shows. */
const countedMax = 100;

/** Counts the open requests without the need of each, because every page shows the count. */
export async function countRequests(tx: Tx, call: Pick<ApprovalCall, "actor" | "now">) {
  const deciding = await readDecidingPerson(tx, call);
  return { count: deciding ? await requests.countOpenFor(tx, { ...deciding, max: countedMax }) : 0 };
}

/** Returns the requests that this person may decide, the first to expire before the others. */
export async function listRequestsToDecide(
  tx: Tx,
  call: Pick<ApprovalCall, "actor" | "now">,
): Promise<requests.RequestRow[]> {
  const deciding = await readDecidingPerson(tx, call);
  return deciding ? requests.listOpenFor(tx, { ...deciding, max: workShownMax }) : [];
}

/** Counts the requests that `listRequestsToDecide` returns. */
export async function countToDecide(tx: Tx, call: Pick<ApprovalCall, "actor" | "now">): Promise<number> {
  const deciding = await readDecidingPerson(tx, call);
  return deciding ? requests.countOpenFor(tx, { ...deciding, max: workShownMax }) : 0;
}

/** Returns undefined for a person whose approval would not count at this moment. */
async function readDecidingPerson(tx: Tx, { actor, now }: Pick<ApprovalCall, "actor" | "now">) {
  const policy = await readPolicyInForce(tx, now);
  const approver = await readApprover(tx, actor);
  const facts = { policy, need: { approvers: 1 }, preparers: [], now };
  if (refusalOfApprover(approver, facts)) return undefined;
  const { people: ids } = await readPreparers(tx, [actor.id]);
  const { id, knownSince } = approver;
  return { id, ids, knownSince, exceptPolicies: approver.profile !== "admin", now };
}

/** Returns the text of a refusal instead of throwing it. */
export function refusalTextOf(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return errorText(error.code, error.data);
    throw error;
  }
}
