import type { BatchStatus } from "./batch-status.ts";
import type { ApproverRefusal } from "./controls.ts";
import type { Cents } from "./money.ts";

export { type BatchStatus, batchStatuses, batchTransitions, canMoveBatch } from "./batch-status.ts";

/** What a person may do: pay, prepare, or only look. */
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
/** `to` is the status the rule leads to; a batch closed before its money arrived is `WAITING` first. */
type Moved<To extends BatchStatus> = { kind: "accepted"; to: To };

const refuse = (code: BatchRefusal, data?: Record<string, number>): Refused =>
  data ? { kind: "refused", code, data } : { kind: "refused", code };

type Actor = { profile: BatchProfile };

export type BatchFacts = {
  status: BatchStatus;
  /** Grows with every change of name or payments. */
  revision: number;
  paymentCount: number;
  /** Payments with any error, including those whose day or hour has passed. */
  errorCount: number;
  expiredCount: number;
  failedCount: number;
};

/** What makes the content unpayable, for every caller and in every status. */
function contentRefusal(batch: BatchFacts): Refused | undefined {
  if (batch.paymentCount === 0) return refuse("batch_empty");
  // BAT-055. Today payments fail only after their batch is closed: this keeps the rule for one that returned to a
  // draft.
  if (batch.failedCount > 0) return refuse("batch_has_failed_transfers", { count: batch.failedCount });
  if (batch.errorCount > batch.expiredCount) return refuse("batch_has_errors", { count: batch.errorCount });
  if (batch.expiredCount > 0) return refuse("batch_has_expired_dates", { count: batch.expiredCount });
  return undefined;
}

/** The person decided on what their screen showed; if another person changed it since, they have to look again. */
const sawOlder = (batch: BatchFacts, seenRevision: number | undefined) =>
  seenRevision !== undefined && seenRevision !== batch.revision;

export type CloseFacts = {
  batch: BatchFacts;
  actor: Actor;
  /** The revision the actor saw, when the call carries it; an approval must. */
  seenRevision?: number;
  /** The revision that was sent to approval; null for a batch that was not. */
  approvalRevision: number | null;
  /** Why the company's controls do not let this person decide (decision 21); undefined where they do. */
  approverRefusal: ApproverRefusal | undefined;
};

export type CloseDecision = { kind: "accepted"; to: "PENDING"; approves: boolean } | Refused;

/**
 * Closes a draft or approves a batch that waits for approval. The balance is not checked here: the reservation
 * decides, and a batch without enough waits for its money.
 */
export function decideClose(facts: CloseFacts): CloseDecision {
  const { batch, actor } = facts;
  const approves = batch.status === "WAITING_APPROVAL";
  // An operator whom the controls name approves others' batches and closes none alone.
  if (actor.profile !== "admin" && !(approves && actor.profile === "operator")) return refuse("forbidden");
  if (batch.status !== "DRAFT" && !approves) return refuse("batch_not_draft");
  if (facts.approverRefusal) return refuse(facts.approverRefusal);
  // An approval is bound to the content that was sent, to the centavo; a later change voids it.
  if (approves && facts.approvalRevision !== batch.revision) return refuse("approval_content_changed");
  // An approver sends the revision they looked at; without it the approval would not be bound to this content.
  if (approves && facts.seenRevision === undefined) return refuse("revision_missing");
  if (sawOlder(batch, facts.seenRevision)) return refuse("batch_changed");
  const refusal = contentRefusal(batch);
  if (refusal) return refusal;
  return { kind: "accepted", to: "PENDING", approves };
}

/** An admin may request an approval as well, which a company that demands two people needs. */
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

/** `isNamedApprover`: the company's controls name this person, who counts as long as they are an operator; those who may approve may also reject. */
export function decideReprove({
  status,
  profile,
  isNamedApprover = false,
}: Question & { isNamedApprover?: boolean }): Moved<"DRAFT"> | Refused {
  if (profile !== "admin" && !(profile === "operator" && isNamedApprover)) return refuse("forbidden");
  if (status !== "WAITING_APPROVAL") return refuse("batch_not_waiting_approval");
  return { kind: "accepted", to: "DRAFT" };
}

/** Takes a batch back while it waits for an approval or for its money. */
export function decideEnableEdit({ status, profile }: Question): Moved<"DRAFT"> | Refused {
  if (profile !== "admin") return refuse("forbidden");
  if (status !== "WAITING_APPROVAL" && status !== "WAITING") return refuse("batch_not_editable");
  return { kind: "accepted", to: "DRAFT" };
}

/** Receivers the batch imported can go with a draft only; those of a waiting batch always stay. */
export function decideDelete({
  status,
  profile,
}: Question): (Moved<"REMOVED"> & { mayRemoveReceivers: boolean }) | Refused {
  if (profile === "analyst") return refuse("forbidden");
  if (status !== "DRAFT" && status !== "WAITING") return refuse("batch_not_removable");
  return { kind: "accepted", to: "REMOVED", mayRemoveReceivers: status === "DRAFT" };
}

/**
 * Takes a whole batch off its schedule (BAT-073). Of boletos each is cancelled by itself, up to the day before its own
 * (BIL-028). `isAllScheduled`: none of its payments has begun.
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

/** Whether a person compared a batch with their own books; nothing else depends on it (BAT-076). */
export function decideReconcile({ status, profile }: Question): { kind: "accepted" } | Refused {
  if (profile === "analyst") return refuse("forbidden");
  return status === "FINISHED" ? { kind: "accepted" } : refuse("batch_not_finished");
}

/** Name and payments change in drafts only. */
export function decideSave({ status, profile }: Question): Moved<"DRAFT"> | Refused {
  if (profile === "analyst") return refuse("forbidden");
  if (status !== "DRAFT") return refuse("batch_not_draft");
  return { kind: "accepted", to: "DRAFT" };
}

export type BatchView = "wizard" | "approval" | "waiting_receipt" | "default";

/**
 * What the full-screen modal of a batch shows. `isNamedApprover`: the company's controls name this person beside the admins;
 * a name counts as long as they are an operator.
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
 * Where 'Fechar lote' or 'Continuar' leads: operators and short balances go to funding. A validation account is not led there,
 * whatever it has; closed without money its batch waits like any other.
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
