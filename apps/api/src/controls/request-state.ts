/** The need of a request before its execution: for a request being decided, and for a whole list at once. */

import type { RequestKind } from "@malote/domain/controls";
import { type Need, needOf, newSince, type OutflowKind, type PolicyInForce } from "@malote/domain/controls";
import { listApprovers, listMadeBy, listPreparersBehind, type Preparers } from "../identities/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Correction } from "./correction.ts";
import { type ApprovalRules, approvalsThatCount, readFigures } from "./need.ts";
import { correctionIn } from "./payloads.ts";
import { readPolicyInForce } from "./policy.ts";
import type { RequestRow } from "./requests-store.ts";
import * as store from "./store.ts";

export const correctionOf = ({
  kind,
  payload,
}: Pick<RequestRow, "kind" | "payload">): Correction | undefined =>
  kind === "CORRECTION" ? correctionIn(payload) : undefined;

/**
 * Counts the admins besides the requester. The admin who invited the requester cannot approve for them but still counts
 * as an admin; people whom the requester invited within the quarantine do not.
 */
async function countOtherAdmins(tx: Tx, policy: PolicyInForce, own: readonly string[], now: Date) {
  const [admins, made] = await Promise.all([
    listApprovers(tx, { operatorApprovers: [] }),
    listMadeBy(tx, own, newSince(policy, now)),
  ]);
  return admins.filter(({ id }) => !own.includes(id) && !made.includes(id)).length;
}

interface RequestWithPreparers {
  request: {
    kind: RequestKind;
    objectId: string;
    amount: number | null;
    approversMin?: number;
    correction?: Correction | undefined;
  };
  preparers: Preparers & { own: readonly string[] };
}

/** Returns the need of each request; reads the sums of the day once for all of them. */
export async function readNeedsOfRequests(
  tx: Tx,
  policy: PolicyInForce,
  given: readonly RequestWithPreparers[],
  { now, isRead = false }: { now: Date; isRead?: boolean },
): Promise<Need[]> {
  const figures = await readFigures(
    tx,
    policy,
    given.map(({ request, preparers }) => ({
      id: request.objectId,
      kind: request.kind,
      amount: request.amount ?? 0,
      people: preparers.people,
      correction: request.correction,
    })),
    { now, isRead },
  );
  return Promise.all(
    given.map(async ({ request: { kind, approversMin = 0 }, preparers }, n) => {
      const own = figures[n];
      if (!own) throw new Error("an approval request has no amounts to check");
      const need = needOf(policy, kind satisfies OutflowKind, own, {
        hasUnknownPreparer: preparers.hasUnknown,
        // A company has at most one open change of the policy.
        otherAdmins: kind === "POLICY" ? await countOtherAdmins(tx, policy, preparers.own, now) : 0,
      });
      return { ...need, approvers: Math.max(need.approvers, approversMin) };
    }),
  );
}

export interface ApprovalState {
  counting: ApprovalRules;
  need: Need;
  approvals: store.ApprovalRow[];
}

/** Returns the present approval state of each pending request. */
export async function readApprovalStates(
  tx: Tx,
  requests: readonly RequestRow[],
  { now, isRead = false }: { now: Date; isRead?: boolean },
): Promise<ApprovalState[]> {
  if (requests.length === 0) return [];
  const policy = await readPolicyInForce(tx, now);
  const [behind, approvalsOf, approvers] = await Promise.all([
    listPreparersBehind(
      tx,
      requests.flatMap(({ preparers, requested_by }) => [...preparers, requested_by]),
    ),
    store.listApprovalsOfRequests(
      tx,
      requests.map(({ id }) => id),
    ),
    listApprovers(tx, policy),
  ]);
  const preparersOf = (request: RequestRow) => ({
    own: behind([request.requested_by]).people,
    people: behind(request.preparers).people,
    hasUnknown: request.has_unknown_preparer,
  });
  const needs = await readNeedsOfRequests(
    tx,
    policy,
    requests.map((request) => ({
      request: {
        kind: request.kind,
        objectId: request.object_id,
        amount: request.amount,
        approversMin: request.approvers_min,
        // Includes payments sent after the request was made.
        correction: correctionOf(request),
      },
      preparers: preparersOf(request),
    })),
    { now, isRead },
  );
  return requests.map((request, n) => {
    const need = needs[n];
    if (!need) throw new Error("an approval request has no need computed");
    const { people: preparers } = preparersOf(request);
    const counting = { policy, need, preparers, now, kind: request.kind satisfies OutflowKind };
    const { digest } = request;
    const approvals = approvalsThatCount(approvalsOf(request.id), approvers, { ...counting, digest });
    return { counting, need, approvals };
  });
}

export async function readApprovalState(tx: Tx, request: RequestRow, now: Date): Promise<ApprovalState> {
  const [state] = await readApprovalStates(tx, [request], { now });
  if (!state) throw new Error("an approval request has no state computed");
  return state;
}
