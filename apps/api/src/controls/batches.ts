/** Approvals of batches: each is a row, and the last required one closes the batch. */

import {
  type ApproverRefusal,
  type Need,
  needOf,
  newSince,
  type PolicyInForce,
  refusalOfApprover,
} from "@malote/domain/controls";
import { cents } from "@malote/domain/money";
import {
  listEditorsThrough,
  type Preparers,
  readApprover,
  readEmails,
  readPreparers,
} from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { refusalTextOf } from "./list-requests.ts";
import {
  type ApprovalCall,
  listPossibleApprovers,
  readCounting,
  readCurrentPreparers,
  readNeedOfBatch,
  refusedBy,
  requireApprover,
  requireCode,
} from "./need.ts";
import { readPolicyInForce } from "./policy.ts";
import { withEmail } from "./request-words.ts";
import * as store from "./store.ts";
import * as sums from "./sums-store.ts";

/** Fields of a batch that its approval depends on. */
export interface BatchToApprove {
  id: string;
  value: number;
  revision: number;
  /** Everyone who made or changed its content; credentials count under their own id. */
  edited_by: readonly string[];
  /** Null when the batch was not sent to approval. */
  approval_digest: string | null;
}

interface BatchApprovalState {
  policy: PolicyInForce;
  need: Need;
  preparers: Preparers;
}

export async function readApprovalStateOfBatch(
  tx: Tx,
  batch: Pick<BatchToApprove, "id" | "value" | "edited_by">,
  now: Date,
): Promise<BatchApprovalState> {
  const policy = await readPolicyInForce(tx, now);
  const preparers = await readCurrentPreparers(tx, batch.edited_by, { policy, now });
  return { policy, preparers, need: await readNeedOfBatch(tx, policy, batch, preparers, now) };
}

const countingOf = ({ policy, need, preparers }: BatchApprovalState, now: Date) => ({
  policy,
  need,
  preparers: preparers.people,
  now,
  kind: "BATCH" as const,
});

/** Returns why this person's approval would not count; undefined for a draft that one admin may close alone. */
export async function findApproverRefusal(
  tx: Tx,
  { actor, now }: Pick<ApprovalCall, "actor" | "now">,
  { isDraft }: { isDraft: boolean },
  state: BatchApprovalState,
): Promise<ApproverRefusal | undefined> {
  if (isDraft && state.need.approvers === 0) return undefined;
  const refusal = refusalOfApprover(await readApprover(tx, actor), countingOf(state, now));
  // The action that throws this refusal reports it with its time.
  return refusal === "approver_too_new" ? undefined : refusal;
}

/** Returns the refusal, with its time, for a batch that waits for approval. */
export async function findNoApproverReason(
  tx: Tx,
  { actor, now }: Pick<ApprovalCall, "actor" | "now">,
  batch: Pick<BatchToApprove, "id" | "value" | "edited_by">,
): Promise<AppError | undefined> {
  const counting = countingOf(await readApprovalStateOfBatch(tx, batch, now), now);
  return refusedBy(await readApprover(tx, actor), counting);
}

/**
 * Counts the batches that this person's approval would count for. Reads the need of a batch only when the answer
 * depends on it: for a batch that the person prepared, or while the person is new.
 */
export async function countApprovable(
  tx: Tx,
  { actor, now }: Pick<ApprovalCall, "actor" | "now">,
  batches: readonly Pick<BatchToApprove, "id" | "value" | "edited_by">[],
): Promise<number> {
  if (batches.length === 0) return 0;
  const [policy, approver] = await Promise.all([readPolicyInForce(tx, now), readApprover(tx, actor)]);
  const ids = batches.flatMap((batch) => batch.edited_by);
  const own = await listEditorsThrough(tx, approver.id, { ids, since: newSince(policy, now) });
  const counts = await Promise.all(
    batches.map(async (batch) => {
      const preparers = batch.edited_by.some((id) => own.has(id)) ? [approver.id] : [];
      const refused = (approvers: number) =>
        refusalOfApprover(approver, { policy, need: { approvers }, preparers, now, kind: "BATCH" }) !==
        undefined;
      if (!refused(1)) return true;
      if (refused(0)) return false;
      return (await findNoApproverReason(tx, { actor, now }, batch)) === undefined;
    }),
  );
  return counts.filter(Boolean).length;
}

/** Result of an approval: how many more approvals are missing; 0 closes the batch. */
export interface BatchApproval {
  missing: number;
  needed: number;
}

/**
 * Records one person's approval of a batch, or of a draft that they may close alone. Refuses an approver whose
 * approval would not count. Expects the batch locked and its content to match the digest.
 */
export async function recordBatchApproval(
  tx: Tx,
  deciding: ApprovalCall,
  batch: BatchToApprove & { isDraft: boolean },
  state: BatchApprovalState,
): Promise<BatchApproval> {
  const { actor, now } = deciding;
  const { need, preparers } = state;
  const counting = countingOf(state, now);
  const approver = await readApprover(tx, actor);
  // A company's own system may close a batch that needs no approval, but approves none.
  const closesAlone = batch.isDraft && need.approvers === 0;
  if (!closesAlone) requireApprover(approver, counting);
  if (batch.isDraft && need.approvers > 1) throw new AppError("approvals_missing", { count: need.approvers });

  const activeApprovals = batch.approval_digest === null ? [] : await store.listApprovals(tx, batch.id);
  const counted = await readCounting(tx, activeApprovals, {
    ...counting,
    digest: batch.approval_digest ?? "",
  });
  const hasApproved = counted.some((approval) => approval.user_id === approver.id);
  if (hasApproved && counted.length < need.approvers) throw new AppError("approved_already");
  const withFactor = await requireCode(tx, approver, need, deciding.givenCode);
  if (approver.isPerson && !hasApproved && (need.approvers > 0 || !batch.isDraft)) {
    // An approval that no longer counts is replaced by the same person's new one.
    if (activeApprovals.some((approval) => approval.user_id === approver.id))
      await store.voidApproval(tx, batch.id, approver.id);
    await store.insertApproval(tx, {
      id: uuidv7(now.getTime()),
      of: { batchId: batch.id },
      revision: batch.revision,
      digest: batch.approval_digest ?? "",
      by: actor,
      withFactor,
      now,
    });
  }
  const missing = Math.max(0, need.approvers - counted.length - (hasApproved ? 0 : 1));
  if (missing === 0)
    await sums.saveOutflow(tx, {
      id: batch.id,
      kind: "BATCH",
      amount: batch.value,
      people: preparers.people,
      now,
    });
  return { missing, needed: need.approvers };
}

/**
 * Checks the approvals again when the money of a closed batch arrives: the approvers must still be allowed to approve,
 * and the current policy may demand more of them. A looser policy releases nothing that was not approved.
 */
export async function isStillApproved(
  tx: Tx,
  batch: BatchToApprove & { approvers_min: number },
  now: Date,
): Promise<boolean> {
  const [policy, preparers] = await Promise.all([
    readPolicyInForce(tx, now),
    readPreparers(tx, batch.edited_by),
  ]);
  const { largest } = await sums.readLargest(tx, batch.id, now);
  const total = cents(batch.value);
  const today = needOf(
    policy,
    "BATCH",
    { total, largest: cents(largest), byPreparer: total, toPayee: total },
    { hasUnknownPreparer: preparers.hasUnknown },
  );
  const need = { ...today, approvers: Math.max(today.approvers, batch.approvers_min) };
  if (need.approvers === 0) return true;
  const activeApprovals = await store.listApprovals(tx, batch.id);
  const counting = { policy, need, preparers: preparers.people, now, kind: "BATCH" as const };
  const counted = await readCounting(tx, activeApprovals, {
    ...counting,
    digest: batch.approval_digest ?? "",
  });
  return counted.length >= need.approvers;
}

/** Returns the approvals for the batch's screen. */
export async function readApprovals(
  tx: Tx,
  deciding: Pick<ApprovalCall, "actor" | "now">,
  batch: BatchToApprove & { isWaiting: boolean },
) {
  const { actor, now } = deciding;
  const state = await readApprovalStateOfBatch(tx, batch, now);
  const { need } = state;
  const counting = countingOf(state, now);
  const [activeApprovals, makers, approver, possibleApprovers] = await Promise.all([
    store.listApprovals(tx, batch.id),
    readEmails(tx, (await readPreparers(tx, batch.edited_by)).people),
    readApprover(tx, actor),
    listPossibleApprovers(tx, counting),
  ]);
  const counted = await readCounting(tx, activeApprovals, {
    ...counting,
    digest: batch.approval_digest ?? "",
  });
  const given = new Set(counted.map(({ id }) => id));
  const why = refusalTextOf(() => requireApprover(approver, counting));
  const hasApproved = counted.some((approval) => approval.user_id === approver.id);
  const missing = batch.isWaiting
    ? Math.max(need.approvers === 0 ? 1 : 0, need.approvers - counted.length)
    : need.approvers;
  const remaining = possibleApprovers.filter(
    ({ id }) => !counted.some((approval) => approval.user_id === id),
  );
  return {
    needed: need.approvers,
    missing,
    digest: batch.approval_digest,
    asks_for_code: need.stepUp,
    prepared_by: [...new Set([...makers.values()].map(({ name, email }) => withEmail(name, email)))].sort(),
    approvals: activeApprovals.map((one) => ({
      name: one.user_name,
      at: one.approved_at.toISOString(),
      counts: given.has(one.id),
    })),
    may_approve: !why && (!hasApproved || missing === 0),
    has_approved: hasApproved,
    why_not: why ?? null,
    /** True when too few possible approvers are left: only another policy or person helps. */
    is_stuck: need.approvers > 0 && remaining.length < need.approvers - counted.length,
  };
}
