import type { BatchStatus } from "./batch-status.ts";
import type { ApproverRefusal } from "./controls.ts";
import type { Cents } from "./money.ts";

export { type BatchStatus, batchStatuses, batchTransitions, canMoveBatch } from "./batch-status.ts";

/** Profile of a person: may pay, prepare, or only read. */
export type BatchProfile = "admin" | "operator" | "analyst";

export type BatchRefusal =
  | "forbidden"
  | "batch_not_draft"
  | "batch_not_waiting_approval"
  | "batch_not_editable"
  | "batch_not_removable"
  | "batch_not_cancellable"
  | "batch_not_finished"
  | "batch_changed"
  | "revision_missing"
  | "batch_empty"
  | "batch_has_errors"
  | "batch_has_expired_dates"
  | "batch_has_failed_transfers"
  | "approval_content_changed"
  | ApproverRefusal;

type Refused = { kind: "refused"; code: BatchRefusal; data?: Record<string, number> };
/** `to` is the status after the transition; a batch closed before its money arrived is `WAITING` first. */
type Moved<To extends BatchStatus> = { kind: "accepted"; to: To };

const refuse = (code: BatchRefusal, data?: Record<string, number>): Refused =>
  data ? { kind: "refused", code, data } : { kind: "refused", code };

type Actor = { profile: BatchProfile };

export type BatchFacts = {
  status: BatchStatus;
  /** Grows with every change of the name or the payments. */
  revision: number;
  paymentCount: number;
  /** Payments with any error, including those whose day or hour has passed. */
  errorCount: number;
  expiredCount: number;
  failedCount: number;
};

/** Returns the refusal of content that cannot be paid, for every caller and in every status. */
function contentRefusal(batch: BatchFacts): Refused | undefined {
  if (batch.paymentCount === 0) return refuse("batch_empty");
  // Today payments fail only after their batch is closed; the check keeps the rule of BAT-055 for a batch that returned
  // to a draft.
  if (batch.failedCount > 0) return refuse("batch_has_failed_transfers", { count: batch.failedCount });
  if (batch.errorCount > batch.expiredCount) return refuse("batch_has_errors", { count: batch.errorCount });
  if (batch.expiredCount > 0) return refuse("batch_has_expired_dates", { count: batch.expiredCount });
  return undefined;
}

/** True when the actor saw an older revision: the batch changed meanwhile, and they have to read it again. */
const sawOlder = (batch: BatchFacts, seenRevision: number | undefined) =>
  seenRevision !== undefined && seenRevision !== batch.revision;

export type CloseFacts = {
  batch: BatchFacts;
  actor: Actor;
  /** The revision that the actor saw, when the call carries it; required for an approval. */
  seenRevision?: number;
  /** The revision that was sent to approval; null for a batch without approval request. */
  approvalRevision: number | null;
  /** The reason why the company's controls do not let this person decide (ruling D21); undefined where they do. */
  approverRefusal: ApproverRefusal | undefined;
};

export type CloseDecision = { kind: "accepted"; to: "PENDING"; approves: boolean } | Refused;

/**
 * Decides whether a person may close a draft or approve a batch that waits for approval. It ignores the balance: the
 * reservation decides, and a batch without enough money waits for it.
 */
export function decideClose(facts: CloseFacts): CloseDecision {
  const { batch, actor } = facts;
  const approves = batch.status === "WAITING_APPROVAL";
  // An operator named by the controls may approve others' batches, but closes none alone.
  if (actor.profile !== "admin" && !(approves && actor.profile === "operator")) return refuse("forbidden");
  if (batch.status !== "DRAFT" && !approves) return refuse("batch_not_draft");
  if (facts.approverRefusal) return refuse(facts.approverRefusal);
  // An approval is bound to the exact content that was sent, to the centavo; a later change voids it.
  if (approves && facts.approvalRevision !== batch.revision) return refuse("approval_content_changed");
  // An approver must send the revision they saw; without it the approval would not be bound to this content.
  if (approves && facts.seenRevision === undefined) return refuse("revision_missing");
  if (sawOlder(batch, facts.seenRevision)) return refuse("batch_changed");
  const refusal = contentRefusal(batch);
  if (refusal) return refusal;
  return { kind: "accepted", to: "PENDING", approves };
}

/**
 * Decides whether a person may send a draft to approval. Admins may too, because a company that demands two people
 * needs it.
 */
export function decideSendToApproval(facts: {
  batch: BatchFacts;
  actor: Actor;
  seenRevision?: number;
}): (Moved<"WAITING_APPROVAL"> & { approvalRevision: number }) | Refused {
  const { batch, actor } = facts;
  if (actor.profile === "analyst") return refuse("forbidden");
  if (batch.status !== "DRAFT") return refuse("batch_not_draft");
  if (sawOlder(batch, facts.seenRevision)) return refuse("batch_changed");
  const refusal = contentRefusal(batch);
  return refusal ?? { kind: "accepted", to: "WAITING_APPROVAL", approvalRevision: batch.revision };
}

type Question = { status: BatchStatus; profile: BatchProfile };

/**
 * Decides whether a person may reject a batch; every person who may approve may reject too. `isNamedApprover`: the
 * company's controls name this person, which counts only while they are an operator.
 */
export function decideReject({
  status,
  profile,
  isNamedApprover = false,
}: Question & { isNamedApprover?: boolean }): Moved<"DRAFT"> | Refused {
  if (profile !== "admin" && !(profile === "operator" && isNamedApprover)) return refuse("forbidden");
  if (status !== "WAITING_APPROVAL") return refuse("batch_not_waiting_approval");
  return { kind: "accepted", to: "DRAFT" };
}

/** Takes a batch back to a draft while it waits for an approval or for its money. */
export function decideEnableEdit({ status, profile }: Question): Moved<"DRAFT"> | Refused {
  if (profile !== "admin") return refuse("forbidden");
  if (status !== "WAITING_APPROVAL" && status !== "WAITING") return refuse("batch_not_editable");
  return { kind: "accepted", to: "DRAFT" };
}

/**
 * Decides whether a batch may be deleted. Imported receivers can be deleted only together with a draft; those of a
 * waiting batch always stay.
 */
export function decideDelete({
  status,
  profile,
}: Question): (Moved<"REMOVED"> & { mayRemoveReceivers: boolean }) | Refused {
  if (profile === "analyst") return refuse("forbidden");
  if (status !== "DRAFT" && status !== "WAITING") return refuse("batch_not_removable");
  return { kind: "accepted", to: "REMOVED", mayRemoveReceivers: status === "DRAFT" };
}

/**
 * Takes a whole batch off its schedule (BAT-073). Boletos are cancelled one by one, up to the day before their own
 * (BIL-028). `isAllScheduled`: no payment has started.
 */
export function decideCancelScheduled(facts: {
  status: BatchStatus;
  profile: BatchProfile;
  isOfTransfers: boolean;
  isAllScheduled: boolean;
}): Moved<"RETURNED"> | Refused {
  if (facts.profile === "analyst") return refuse("forbidden");
  if (facts.status !== "RECEIVED" || !facts.isOfTransfers || !facts.isAllScheduled)
    return refuse("batch_not_cancellable");
  return { kind: "accepted", to: "RETURNED" };
}

/**
 * Decides whether a person may mark a batch as compared with their own books; nothing else depends on the mark
 * (BAT-076).
 */
export function decideReconcile({ status, profile }: Question): { kind: "accepted" } | Refused {
  if (profile === "analyst") return refuse("forbidden");
  return status === "FINISHED" ? { kind: "accepted" } : refuse("batch_not_finished");
}

/** Decides whether name and payments may change, which is possible in drafts only. */
export function decideSave({ status, profile }: Question): { kind: "accepted" } | Refused {
  if (profile === "analyst") return refuse("forbidden");
  return status === "DRAFT" ? { kind: "accepted" } : refuse("batch_not_draft");
}

export type BatchView = "wizard" | "approval" | "waiting_receipt" | "default";

/**
 * Returns the content of a batch's full-screen modal. `isNamedApprover`: the company's controls name this person in
 * addition to the admins, which counts only while they are an operator.
 */
export function batchView({
  status,
  profile,
  isNamedApprover = false,
}: Question & { isNamedApprover?: boolean }): BatchView {
  if (status === "DRAFT" && profile !== "analyst") return "wizard";
  if (status === "WAITING_APPROVAL" && (profile === "admin" || (profile === "operator" && isNamedApprover)))
    return "approval";
  if (status === "WAITING") return "waiting_receipt";
  return "default";
}

/**
 * Returns the step after 'Fechar lote' or 'Continuar': operators and short balances go to funding. A validation account
 * never does, whatever its balance; its batch, closed without money, waits like any other.
 */
export function closeStep(facts: {
  profile: BatchProfile;
  totalCents: Cents;
  availableCents: Cents;
  isValidationAccount: boolean;
}): "confirmation" | "funding" {
  const isFunded = facts.isValidationAccount || facts.availableCents >= facts.totalCents;
  return facts.profile !== "operator" && isFunded ? "confirmation" : "funding";
}
