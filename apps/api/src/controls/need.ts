/** The number of approvers that a payment needs, and the people whose approval counts. */

import { formatMoment, saoPauloDate, startOfDay } from "@malote/domain/calendar";
import {
  type AmountsToCheck,
  type ApproverFacts,
  approvesFrom,
  type ControlPolicy,
  dependsOnAmount,
  type Need,
  needOf,
  newSince,
  type OutflowKind,
  type PolicyInForce,
  refusalOfApprover,
  refusalOfCode,
} from "@malote/domain/controls";
import { cents } from "@malote/domain/money";
import {
  type ApproverRow,
  listApprovers,
  listInviters,
  type Preparers,
  readAccessSince,
  readPreparers,
  spendStep,
} from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { type CodeOfCall, CodeUnread } from "../platform/http/given-code.ts";
import type { Correction } from "./correction.ts";
import { readPolicyInForce } from "./policy.ts";
import type * as store from "./store.ts";
import * as sums from "./sums-store.ts";

/** The person who decides, and their second-factor code. Compatible with `Call`. */
export interface ApprovalCall {
  actor: Actor;
  now: Date;
  requestId: string;
  givenCode: CodeOfCall;
}

/** An outgoing amount and the data that its sums depend on. */
export interface Outgoing {
  /** Id of the object; its own earlier sum is not added. */
  id: string;
  kind: OutflowKind;
  amount: number;
  people: readonly string[];
  /** Present when failed payments are resent. */
  correction?: Correction | undefined;
}

/**
 * Returns the figures with the sums of this day in São Paulo. Reads the sums only when the amount decides, and under a
 * lock, so that of two simultaneous payments the second counts the first. `isRead`: for display, without the lock, so
 * that no payment waits for it.
 */
export async function readFigures(
  tx: Tx,
  policy: ControlPolicy,
  outs: readonly Outgoing[],
  { now, isRead = false }: { now: Date; isRead?: boolean },
): Promise<AmountsToCheck[]> {
  const totals = outs.map(({ amount, correction }) =>
    cents(correction ? correction.payments.reduce((sum, { value }) => sum + value, 0) : amount),
  );
  if (!dependsOnAmount(policy) || outs.length === 0)
    return totals.map((total) => ({ total, largest: total, byPreparer: total, toPayee: total }));
  if (!isRead) await sums.lockSums(tx);
  const since = startOfDay(saoPauloDate(now));
  const corrections = outs.flatMap(({ correction }) => correction ?? []);
  const [sent, corrected] = await Promise.all([
    sums.sumSentOut(
      tx,
      outs.map(({ id, kind, people, correction }) => ({
        people,
        kind,
        own: correction ? correction.payments.map((payment) => payment.id) : [id],
        batch: correction?.batchId ?? null,
      })),
      since,
    ),
    sums.sumCorrected(tx, corrections, since),
  ]);
  return outs.map(({ correction }, n) => {
    const total = totals[n] ?? cents(0);
    const before = sent[n];
    const ofCorrection = correction && corrected[corrections.indexOf(correction)];
    // A batch of this day counts with all its payments, failed ones included.
    const added = before?.hasBatch ? 0 : total;
    return {
      total,
      largest: correction ? cents(Math.max(...correction.payments.map(({ value }) => value))) : total,
      byPreparer: cents(Math.min((before?.value ?? 0) + added, Number.MAX_SAFE_INTEGER)),
      toPayee: ofCorrection ? cents(ofCorrection.toPayee) : total,
      ...(ofCorrection && { redirected: cents(ofCorrection.redirected) }),
    };
  });
}

export async function readNeedOfBatch(
  tx: Tx,
  policy: ControlPolicy,
  batch: { id: string; value: number },
  preparers: Preparers,
  now: Date,
): Promise<Need> {
  const { id, value: amount } = batch;
  const [figures] = await readFigures(tx, policy, [{ id, kind: "BATCH", amount, people: preparers.people }], {
    now,
  });
  if (!figures) throw new Error("an outflow has no amounts to check");
  const { largest, toPayee } = dependsOnAmount(policy)
    ? await sums.readLargest(tx, id, startOfDay(saoPauloDate(now)))
    : figures;
  return needOf(
    policy,
    "BATCH",
    { ...figures, largest: cents(largest), toPayee: cents(toPayee) },
    { hasUnknownPreparer: preparers.hasUnknown },
  );
}

/**
 * Returns the preparers and those who invited them within the quarantine of approvers, so that a person invited for the
 * purpose is no second approver. `own`: without those who invited them.
 */
export async function readCurrentPreparers(
  tx: Tx,
  ids: readonly string[],
  { policy, now }: { policy: PolicyInForce; now: Date },
): Promise<Preparers & { own: string[] }> {
  const { people: own, hasUnknown } = await readPreparers(tx, ids);
  const inviters = await listInviters(tx, own, newSince(policy, now));
  return { own, people: [...new Set([...own, ...inviters])], hasUnknown };
}

/**
 * Refuses changes of people, controls, limits or credentials by a person who is new, or who came back by a link or with
 * another factor. Otherwise invented people could invite each other, and a thief of a mailbox could revoke the others'
 * access before they read of it.
 */
export async function requireAged(tx: Tx, userId: string, now: Date): Promise<void> {
  const since = await readAccessSince(tx, userId);
  if (!since) return;
  const until = approvesFrom(since, await readPolicyInForce(tx, now));
  if (now < until) throw new AppError("admin_too_new", { until: formatMoment(until) });
}

export interface ApprovalRules {
  policy: PolicyInForce;
  need: Need;
  preparers: readonly string[];
  now: Date;
  kind: OutflowKind;
}

/** Returns the people who could still give an approval that counts, by their present access. */
export async function listPossibleApprovers(tx: Tx, counting: ApprovalRules): Promise<ApproverRow[]> {
  const people = await listApprovers(tx, counting.policy);
  return people.filter((person) => {
    const refusal = refusalOfApprover(person, counting);
    return refusal === undefined || refusal === "approver_too_new";
  });
}

/** Returns the people who get e-mails about approvals: everyone who may approve, except one. */
export async function listOtherApprovers(tx: Tx, id: string, now: Date): Promise<ApproverRow[]> {
  const people = await listApprovers(tx, await readPolicyInForce(tx, now));
  return people.filter((person) => person.id !== id);
}

/**
 * Returns the approvals that still count: of this content, by people who may approve now and whose access has not
 * changed meanwhile. `people`: everyone who may approve.
 */
export const approvalsThatCount = (
  approvals: readonly store.ApprovalRow[],
  people: readonly ApproverRow[],
  counting: ApprovalRules & { digest: string },
): store.ApprovalRow[] =>
  approvals.filter((approval) => {
    const person = people.find(({ id }) => id === approval.user_id);
    if (!person || approval.digest !== counting.digest) return false;
    if (person.knownSince && person.knownSince > approval.approved_at) return false;
    return refusalOfApprover(person, counting) === undefined;
  });

export async function readCounting(
  tx: Tx,
  approvals: readonly store.ApprovalRow[],
  counting: ApprovalRules & { digest: string },
): Promise<store.ApprovalRow[]> {
  if (approvals.length === 0) return [];
  return approvalsThatCount(approvals, await listApprovers(tx, counting.policy), counting);
}

/** Returns why this person's approval would not count, with their remedy; undefined when it counts. */
export function refusedBy(approver: ApproverFacts, counting: ApprovalRules): AppError | undefined {
  const refusal = refusalOfApprover(approver, counting);
  const { knownSince } = approver;
  if (refusal === "approver_too_new" && knownSince)
    return new AppError(refusal, { until: formatMoment(approvesFrom(knownSince, counting.policy)) });
  return refusal && new AppError(refusal);
}

export function requireApprover(approver: ApproverFacts, counting: ApprovalRules): void {
  const refused = refusedBy(approver, counting);
  if (refused) throw refused;
}

/**
 * Refuses a caller without the required code, and invalidates the code after one use. Returns whether a code was given.
 */
export async function requireCode(
  tx: Tx,
  approver: Pick<ApproverFacts, "id" | "isPerson" | "hasFactor">,
  need: Need,
  given: CodeOfCall,
): Promise<boolean> {
  if (!need.stepUp) return false;
  if (given.is === "unread") {
    // A given code is not checked when no code would help.
    const refusal = refusalOfCode(approver, need, "good");
    if (refusal) throw new AppError(refusal);
    throw new CodeUnread();
  }
  const isSpent = given.is === "good" && !(await spendStep(tx, approver.id, given.step));
  const refusal = refusalOfCode(approver, need, isSpent ? "wrong" : given.is);
  if (refusal) throw new AppError(refusal);
  return true;
}
