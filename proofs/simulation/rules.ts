/** Requirements of each request: its refusal, or its effect on batch, payments and money. */
import { dayOf, leavesAt, plusDays, tedIsClosedToday } from "./days.ts";
import { type Paying, type Request, receiverOf, type Who } from "./operations.ts";
import { type Batch, isPaid, methodOf, move, type Payment, paymentsOf, type State, sumOf } from "./state.ts";

const profiles = {
  admin: "admin",
  machine: "admin",
  stranger: "admin",
  operator: "operator",
  analyst: "analyst",
} as const;

/** The lifetime of an approval request. */
const requestMs = 7 * 86_400_000;

/** The maximum number of days a payment may be scheduled ahead. */
const scheduledDaysMax = 366;

const adminsOnly = new Set<Request["do"]>(["close", "reject", "reopen"]);

/** Returns the answer: the code of a refusal, or `ok` with the caller's answer. */
export function ask(state: State, request: Request): string {
  const profile = profiles[request.by];
  if (profile === "analyst" || (profile === "operator" && adminsOnly.has(request.do))) return "forbidden";
  if (!("key" in request)) return act(state, request);

  // Each company has its own idempotency keys.
  const key = `${request.by === "stranger" ? "elsewhere " : ""}${request.do} ${request.key}`;
  const { by: _, fault: __, ...asked } = request as Request & { fault?: unknown };
  const known = state.answers[key];
  if (known)
    return known.asked === JSON.stringify(asked) ? `${known.answer} again` : "idempotency_key_reused";
  const answer = act(state, request);
  if (answer.startsWith("ok")) state.answers[key] = { asked: JSON.stringify(asked), answer };
  return answer;
}

function act(state: State, request: Request): string {
  if (isMaking(request)) return make(state, request);
  if (request.do === "withdraw") return withdraw(state, request);
  const batch = request.by === "stranger" ? undefined : state.batches[request.batch];
  return !batch || isHidden(batch) ? "not_found" : actOn(state, batch, request);
}

/** Calls that create a batch, unlike those on an existing one. */
type Making = Extract<Request, { payments: readonly Paying[] }>;
const isMaking = (request: Request): request is Making =>
  request.do === "create" || request.do === "items" || request.do === "sheet";

/** True for a batch that this caller cannot see. */
export const isHidden = ({ type, status }: Batch) => type === "WITHDRAWAL" || status === "REMOVED";

function actOn(
  state: State,
  batch: Batch,
  request: Exclude<Request, Making | Extract<Request, { do: "withdraw" }>>,
): string {
  switch (request.do) {
    case "save":
      if (batch.status !== "DRAFT") return "batch_not_draft";
      if (request.write.some((paying) => isElsewhere(state, request.batch, paying))) return "not_found";
      for (const paying of request.write) write(state, request.batch, paying);
      for (const payment of request.remove) erase(state, request.batch, payment);
      if (request.write.length > 0) edited(batch, request.by);
      else batch.revision++;
      return "ok DRAFT";
    case "rename":
      if (batch.status === "WAITING_APPROVAL" || batch.status === "PENDING") return "batch_keeps_name";
      batch.revision++;
      return `ok ${batch.status}`;
    case "delete":
      if (batch.status !== "DRAFT" && batch.status !== "WAITING") return "batch_not_removable";
      if (batch.status === "WAITING") state.jobs.push({ queue: "pay-waiting-batches" });
      batch.status = "REMOVED";
      return "ok";
    case "reject":
      if (batch.status !== "WAITING_APPROVAL") return "batch_not_waiting_approval";
      batch.isApproved = false;
      return becomeDraft(batch);
    case "reopen":
      if (batch.status !== "WAITING_APPROVAL" && batch.status !== "WAITING") return "batch_not_editable";
      if (batch.status === "WAITING") state.jobs.push({ queue: "pay-waiting-batches" });
      return becomeDraft(batch);
    case "add": {
      if (batch.status !== "DRAFT") return "batch_not_draft";
      if (isElsewhere(state, request.batch, request.paying)) return "not_found";
      write(state, request.batch, request.paying);
      edited(batch, request.by);
      return "ok CREATED";
    }
    case "change":
      return change(state, batch, request);
    case "remove": {
      if (batch.status !== "DRAFT") return "batch_not_draft";
      const gone = request.payments.filter((payment) => erase(state, request.batch, payment));
      batch.revision++;
      return `ok ${gone.length}`;
    }
    case "send": {
      if (batch.status !== "DRAFT") return "batch_not_draft";
      if (request.revision !== undefined && request.revision !== batch.revision) return "batch_changed";
      const refusal = contentRefusal(state, request.batch) ?? checkRefusal(state, request.batch);
      if (refusal) return refusal;
      batch.status = "WAITING_APPROVAL";
      batch.approvalRevision = batch.revision;
      batch.isSigned = true;
      return "ok WAITING_APPROVAL";
    }
    case "close":
      return close(state, batch, request);
    case "refund":
      return refund(state, request);
  }
}

function make(state: State, { by, batch: label, payments, do: how }: Making): string {
  if (how === "sheet") {
    state.sheets[label] = { by, payments };
    state.jobs.push({ queue: "import-sheet", batch: label });
    return "ok reading";
  }
  const known = state.batches[label];
  // A used id returns its batch, whatever else the call contains; a hidden one is not found.
  if (known && isHidden(known)) return "not_found";
  if (known) return how === "items" ? "ok imported" : `ok ${known.status}`;
  if (payments.some((paying) => isElsewhere(state, label, paying))) return "not_found";
  const batch = draftOf(by);
  state.batches[label] = batch;
  for (const paying of payments) write(state, label, paying);
  if (payments.length > 0) batch.revision++;
  return how === "items" ? "ok imported" : "ok DRAFT";
}

export const draftOf = (by: Who): Batch => ({
  type: "TRANSFER",
  status: "DRAFT",
  revision: 1,
  approvalRevision: null,
  isApproved: false,
  isSigned: false,
  approversMin: 0,
  editors: [by],
  closings: 0,
  waitingSince: 0,
});

/** Records an edit: the author becomes a preparer, and the approved content has changed. */
function edited(batch: Batch, by: Who): void {
  batch.revision++;
  batch.isApproved = false;
  if (!batch.editors.includes(by)) batch.editors.push(by);
}

export function becomeDraft(batch: Batch): string {
  batch.status = "DRAFT";
  batch.approvalRevision = null;
  batch.isSigned = false;
  return "ok DRAFT";
}

/** Returns whether the payment belongs to another batch, which makes the server refuse the whole call. */
function isElsewhere({ payments }: State, batch: number, { payment }: Paying): boolean {
  return payments[payment] !== undefined && payments[payment].batch !== batch;
}

export function write(state: State, batch: number, paying: Paying): void {
  const wrong =
    !paying.value || isForbidden(state, paying) || isLate(state, paying) || isTooFarAhead(state, paying);
  state.payments[paying.payment] = { ...draftPayment(batch, paying), wrong };
}

const draftPayment = (batch: number, paying: Paying): Payment => ({
  ...paying,
  batch,
  status: "CREATED",
  wrong: false,
  attempt: 0,
  takenAt: 0,
  handedOver: false,
  isRefused: false,
});

function erase(state: State, batch: number, payment: number): boolean {
  if (state.payments[payment]?.batch !== batch) return false;
  delete state.payments[payment];
  return true;
}

/** Returns whether its day, or today's cut-off for it, has passed. */
function isLate({ now }: State, paying: Paying): boolean {
  if (paying.date === undefined) return false;
  const today = dayOf(now);
  return (
    paying.date < today || (paying.date === today && methodOf(paying) === "TED" && tedIsClosedToday(now))
  );
}

/** Returns whether the date counts as a mistyped year, checked only on entry because it gets nearer later. */
const isTooFarAhead = ({ now }: State, { date }: Paying): boolean =>
  date !== undefined && date > plusDays(dayOf(now), scheduledDaysMax);

/** Returns whether a payment is forbidden: its document is blocked, or it exceeds the company's maximum per payment. */
export function isForbidden(state: State, paying: Paying): boolean {
  return (paying.value ?? 0) > state.settings.limit || isPayeeBlocked(state, paying);
}

export function isPayeeBlocked({ settings }: State, { receiver }: Paying): boolean {
  const { document } = receiverOf(receiver);
  return document !== undefined && settings.blockedDocuments.includes(document);
}

/** Returns the refusal by the current rules, not by those at the time of entry. */
function contentRefusal(state: State, label: number): string | undefined {
  const payments = paymentsOf(state, label);
  if (payments.length === 0) return "batch_empty";
  if (payments.some((one) => one.status === "FAILED")) return "batch_has_failed_transfers";
  if (payments.some((one) => one.wrong || isForbidden(state, one))) return "batch_has_errors";
  return payments.some((one) => isLate(state, one)) ? "batch_has_expired_dates" : undefined;
}

/** Returns the refusal by the checks. No person here confirms findings, and only values can be unusual here. */
function checkRefusal(state: State, label: number): string | undefined {
  const isHeld = paymentsOf(state, label).some((one) =>
    isUnusual(state, one, (past) => past.batch !== label),
  );
  return isHeld ? "checks_not_confirmed" : undefined;
}

/** Three payments or more arrived there; more than three times the largest of them, and R$ 500 above it, is unusual. */
function isUnusual(
  state: State,
  { receiver, value }: Paying,
  isPast: (payment: Payment) => boolean,
): boolean {
  const arrived = Object.values(state.payments).filter(
    (one) =>
      one.receiver === receiver &&
      isPaid(one) &&
      isPast(one) &&
      state.batches[one.batch]?.type !== "WITHDRAWAL",
  );
  const largest = Math.max(...arrived.map((one) => one.value ?? 0));
  return arrived.length >= 3 && (value ?? 0) > 3 * largest && (value ?? 0) - largest >= 500_00;
}

function close(
  state: State,
  batch: Batch,
  { batch: label, by, revision }: Extract<Request, { do: "close" }>,
): string {
  if (state.settings.blocked) return "company_blocked";
  if (batch.status !== "DRAFT" && batch.status !== "WAITING_APPROVAL") return "batch_not_draft";
  const isDraft = batch.status === "DRAFT";
  const needed = approversOf(state, batch);
  if (!isDraft || needed > 0) {
    if (by === "machine") return "approver_not_a_person";
    if (needed > 0 && batch.editors.includes(by)) return "approver_is_creator";
  }
  if (batch.status === "WAITING_APPROVAL" && batch.approvalRevision !== batch.revision)
    return "approval_content_changed";
  if (batch.status === "WAITING_APPROVAL" && revision === undefined) return "revision_missing";
  if (revision !== undefined && revision !== batch.revision) return "batch_changed";
  const refusal = contentRefusal(state, label) ?? checkRefusal(state, label);
  if (refusal) return refusal;
  if (isDraft && needed > 1) return "approvals_missing";
  // The company has one admin, so no second person can approve.
  if (batch.isApproved && needed > 1) return "approved_already";
  if (!isDraft || needed > 0) {
    batch.isApproved = true;
    batch.isSigned = true;
  }
  if (needed > 1) return "ok WAITING_APPROVAL";
  batch.approversMin = needed;
  batch.closings++;
  if (reserveMoney(state, label)) {
    batch.status = "PENDING";
    state.jobs.push({ queue: "close-batch", batch: label });
    return "ok PENDING paid";
  }
  batch.status = "WAITING";
  batch.waitingSince = state.now;
  return "ok WAITING";
}

/** Returns the needed approvers: another person where demanded, and one more where the preparer is unknown. */
function approversOf({ settings }: State, { editors }: Pick<Batch, "editors">): number {
  if (!settings.otherApprover) return 0;
  return editors.includes("machine") ? 2 : 1;
}

/** Returns whether the approvals suffice when the money arrives, because the company may demand more by then. */
export function isStillApproved(state: State, batch: Batch): boolean {
  const needed = Math.max(approversOf(state, batch), batch.approversMin);
  const counts = batch.isApproved && batch.isSigned && !batch.editors.includes("admin");
  return needed === 0 || (counts && needed === 1);
}

/** Makes a withdrawal, which skips all steps of a batch: one call reserves and sends it. */
function withdraw(state: State, { by, batch, payment, value }: Extract<Request, { do: "withdraw" }>): string {
  const { operatorMayWithdraw, blocked, withdrawTo, blockedDocuments } = state.settings;
  // The other company has never saved an account.
  if (by === "stranger") return "withdrawal_account_missing";
  if (by === "operator" && !operatorMayWithdraw) return "forbidden";
  if (blocked) return "company_blocked";
  if (withdrawTo === null) return "withdrawal_account_missing";
  if (blockedDocuments.includes(receiverOf(withdrawTo).document ?? "")) return "blocked_tax_id";
  if (state.accounts.available < value) return "insufficient_balance";
  // No other person could approve a request of the single admin, or one that needs two people.
  if (state.settings.otherApprover) return by === "operator" ? "ok waits" : "approvers_too_few";
  if (value > state.settings.limit) return "payment_over_maximum";
  move(state, "WITHDRAW", "available", "reserved", value);
  state.batches[batch] = { ...draftOf(by), type: "WITHDRAWAL", status: "RECEIVED", editors: [] };
  const leaving = draftPayment(batch, { payment, receiver: withdrawTo, value });
  depart(state, leaving);
  state.payments[payment] = leaving;
  state.jobs.push({ queue: "send-payments" });
  return "ok";
}

/** Reserves the whole value or nothing. */
export function reserveMoney(state: State, batch: number): boolean {
  const value = sumOf(paymentsOf(state, batch));
  if (state.accounts.available < value) return false;
  move(state, "BATCH", "available", "reserved", value);
  return true;
}

/**
 * Changes a payment. A draft permits any change; later only a failed payment changes, with the reserved money: an
 * operator's correction waits for an admin, and any person's for another one where the batch or the company demands it.
 */
function change(
  state: State,
  batch: Batch,
  { by, batch: label, paying }: Extract<Request, { paying: Paying }>,
): string {
  const payment = state.payments[paying.payment];
  if (payment?.batch !== label) return "not_found";
  if (batch.status === "DRAFT") {
    write(state, label, paying);
    edited(batch, by);
    return "ok CREATED";
  }
  if (payment.status !== "FAILED") return "transfer_not_editable";
  if (state.settings.blocked) return "company_blocked";
  const until = state.corrections[paying.payment];
  if (until !== undefined && state.now < until) return "payment_awaits_approval";
  if (paying.value !== null && paying.value !== payment.value) return "transfer_value_fixed";
  const corrected = { ...payment, receiver: paying.receiver };
  if (isForbidden(state, corrected)) return "transfer_invalid";
  if (isUnusual(state, corrected, (past) => past !== payment)) return "checks_not_confirmed";
  const needed = Math.max(
    approversOf(state, { editors: [by] }),
    by === "operator" ? 1 : 0,
    batch.approversMin,
  );
  if (needed > 0) {
    if (needed > (by === "admin" ? 0 : 1)) return "approvers_too_few";
    state.corrections[paying.payment] = state.now + requestMs;
    return "ok FAILED";
  }
  delete corrected.date;
  depart(state, corrected);
  state.payments[paying.payment] = corrected;
  state.jobs.push({ queue: "send-payments" });
  return `ok ${corrected.status}`;
}

/** Sends a payment now, or when its day and the hours of its method allow. */
export function depart(state: State, payment: Payment): void {
  payment.leavesAt = leavesAt(methodOf(payment), payment.date, state.now);
  payment.status = payment.leavesAt > state.now ? "SCHEDULED" : "RECEIVED";
  payment.takenAt = 0;
  payment.handedOver = false;
}

/** Returns the money of every failed payment of the batch to the same receiver. */
function refund(state: State, request: Extract<Request, { do: "refund" }>): string {
  const payment = state.payments[request.payment];
  if (payment?.batch !== request.batch) return "not_found";
  if (payment.status !== "FAILED") return "transfer_not_failed";
  for (const one of paymentsOf(state, request.batch)) {
    if (one.status !== "FAILED" || one.receiver !== payment.receiver) continue;
    one.status = "RETURNED";
    move(state, "REFUND", "reserved", "available", one.value ?? 0);
  }
  finish(state, request.batch);
  state.jobs.push({ queue: "pay-waiting-batches" });
  return "ok RETURNED";
}

/** Ends a batch when each payment arrived or was returned; a later return does not reopen it. */
export function finish(state: State, label: number): void {
  const batch = state.batches[label];
  const payments = paymentsOf(state, label);
  const left = payments.some((one) => !["TRANSFERRED", "FINISHED", "RETURNED"].includes(one.status));
  if (batch?.status !== "RECEIVED" || left) return;
  batch.status = payments.every((one) => one.status === "RETURNED") ? "RETURNED" : "FINISHED";
}
