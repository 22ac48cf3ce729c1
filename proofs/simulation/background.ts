/** Operations without a call: jobs, the clock, and the network with its events. */
import { atHour, bankDayFrom, dayOf, isPastCutOff, plusDays, tedOpensHour } from "./days.ts";
import { receiverOf, type Work } from "./operations.ts";
import {
  becomeDraft,
  depart,
  draftOf,
  finish,
  isForbidden,
  isPayeeBlocked,
  isStillApproved,
  reserveMoney,
  write,
} from "./rules.ts";
import {
  type Job,
  methodOf,
  move,
  type NetworkEvent,
  type Payment,
  paymentsOf,
  type State,
} from "./state.ts";

/** Milliseconds that a silent worker may hold payments before another one claims them. */
const orphanAfterMs = 8_000;
const pixTakesMs = 800;
const tedTakesMs = 180_000;
const morningHour = 8;

/** Each commit is a separate step: a process may die between any two. */
type Commit = () => void;

/** Returns whether the work completed; otherwise it is retried. */
export function work(state: State, work: Work, commit: Commit): boolean {
  if (work.do === "receive") {
    const named = work.events.map((id) => state.network.find((event) => event.id === id));
    receive(
      state,
      named.filter((event) => event !== undefined),
      commit,
    );
    return true;
  }
  if (work.do === "tick") return sendDue(state, work.silence, commit);
  const job = state.jobs[work.job];
  if (!job) return true;
  const isDone = runJob(state, job, work.silence, commit);
  if (isDone && !work.stays) state.jobs.splice(state.jobs.indexOf(job), 1);
  return isDone;
}

function runJob(
  state: State,
  { queue, batch }: Job,
  silence: "taken" | "lost" | undefined,
  commit: Commit,
): boolean {
  switch (queue) {
    case "close-batch":
      if (batch !== undefined && state.batches[batch]?.status === "PENDING") {
        release(state, batch);
        commit();
      }
      return true;
    case "pay-waiting-batches":
      payWaiting(state, commit);
      return true;
    case "send-payments":
      return sendDue(state, silence, commit);
    case "import-sheet":
      if (batch !== undefined) readSheet(state, batch);
      commit();
      return true;
  }
}

function readSheet(state: State, label: number): void {
  const sheet = state.sheets[label];
  if (!sheet) return;
  delete state.sheets[label];
  state.batches[label] = draftOf(sheet.by);
  for (const paying of sheet.payments) write(state, label, paying);
}

function release(state: State, label: number): void {
  const batch = state.batches[label];
  if (!batch) return;
  for (const payment of paymentsOf(state, label)) depart(state, payment);
  batch.status = "RECEIVED";
  state.jobs.push({ queue: "send-payments" });
}

/**
 * Pays waiting batches, oldest first and whole batches only; one that may no longer be paid goes back to a draft. A
 * blocked company pays none.
 */
function payWaiting(state: State, commit: Commit): void {
  if (state.settings.blocked) return;
  for (;;) {
    const waiting = Object.entries(state.batches).filter(([, batch]) => batch.status === "WAITING");
    const [oldest] = waiting.sort(([, one], [, other]) => one.waitingSince - other.waitingSince);
    if (!oldest) return;
    const label = Number(oldest[0]);
    const isForbiddenNow = paymentsOf(state, label).some((payment) => isForbidden(state, payment));
    if (isForbiddenNow || !isStillApproved(state, oldest[1])) becomeDraft(oldest[1]);
    else if (reserveMoney(state, label)) release(state, label);
    else return;
    commit();
  }
}

/**
 * Sends the payments of a lost worker first, then those that are due. Of a blocked company the network is only asked
 * about those of a lost worker.
 */
function sendDue(state: State, silence: "taken" | "lost" | undefined, commit: Commit): boolean {
  const mayLeave = !state.settings.blocked;
  for (;;) {
    const all = Object.values(state.payments);
    const orphans = all.filter(
      (one) => one.status === "EXECUTING" && !one.handedOver && one.takenAt < state.now - orphanAfterMs,
    );
    const due = all.filter(
      (one) => mayLeave && ["RECEIVED", "SCHEDULED"].includes(one.status) && (one.leavesAt ?? 0) <= state.now,
    );
    const block = orphans.length > 0 ? orphans : due;
    if (block.length === 0) return true;
    for (const payment of block) {
      if (payment.status !== "EXECUTING") {
        payment.attempt++;
        payment.isRefused = false;
      }
      payment.status = "EXECUTING";
      payment.takenAt = state.now;
    }
    commit();
    const asked = block.filter((payment) => !payment.isRefused);
    const known = asked.filter((payment) => hasOrder(state, payment));
    for (const payment of known) payment.handedOver = true;
    if (known.length > 0) commit();
    const unknown = mayLeave ? asked.filter((payment) => !known.includes(payment)) : [];
    refuse(state, block, unknown, commit);
    const orders = unknown.filter((payment) => !payment.isRefused);
    if (orders.length === 0) continue;
    if (silence !== "lost") {
      for (const payment of orders) order(state, payment);
      commit();
    }
    if (silence) return false;
    for (const payment of orders) payment.handedOver = true;
    commit();
  }
}

/** Refuses orders to a payee who was blocked since the batch closed, as the network would. */
function refuse(state: State, block: readonly Payment[], leaving: readonly Payment[], commit: Commit): void {
  for (const payment of leaving) if (isPayeeBlocked(state, payment)) payment.isRefused = true;
  const refused = block.filter(({ isRefused }) => isRefused);
  if (refused.length === 0) return;
  commit();
  const cameBack = refused.map((payment) => fail(state, payment));
  if (cameBack.includes(true)) state.jobs.push({ queue: "pay-waiting-batches" });
  commit();
}

const orderName = ({ payment, attempt }: Payment) => `${payment}#${attempt}`;
const hasOrder = (state: State, payment: Payment) =>
  state.network.some((event) => event.id.startsWith(`${orderName(payment)}:`));

/** Places an order; the network decides at once and delivers later. */
function order(state: State, payment: Payment): void {
  const schedule = (kind: NetworkEvent["kind"], dueAt: number) =>
    state.network.push({
      id: `${orderName(payment)}:${kind}`,
      kind,
      payment: payment.payment,
      attempt: payment.attempt,
      dueAt,
      delivered: false,
    });
  const { fate } = receiverOf(payment.receiver);
  const isTed = methodOf(payment) === "TED";
  const arrivesAt = isTed ? tedArrivesAt(state.now) : state.now + pixTakesMs;
  schedule(fate === "fails" ? "failed" : "settled", arrivesAt);
  if (!isTed || fate === "fails") return;
  const nextMorning = atHour(bankDayFrom(plusDays(dayOf(arrivesAt), 1)), morningHour);
  schedule(fate === "returns" ? "returned" : "finished", nextMorning);
}

function tedArrivesAt(takenAt: number): number {
  const today = dayOf(takenAt);
  const runsOn = bankDayFrom(isPastCutOff(takenAt) ? plusDays(today, 1) : today);
  return Math.max(takenAt, atHour(runsOn, tedOpensHour)) + tedTakesMs;
}

/** Delivers and receives every due event. */
export function deliver(state: State): void {
  const due = state.network.filter((event) => !event.delivered && event.dueAt <= state.now);
  receive(state, due, () => undefined);
  for (const event of due) event.delivered = true;
}

/** Receives events: each counts once, in any order; a returned payment counts as having arrived. */
function receive(state: State, event: readonly NetworkEvent[], commit: Commit): void {
  const reports = event.filter((one) => one.kind !== "deposit" && !state.received.includes(one.id));
  let cameBack = false;
  for (const event of reports.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    state.received.push(event.id);
    cameBack = apply(state, event) || cameBack;
  }
  if (cameBack) state.jobs.push({ queue: "pay-waiting-batches" });
  if (reports.length > 0) commit();
  for (const deposit of event.filter((one) => one.kind === "deposit")) {
    if (!state.received.includes(deposit.id)) {
      state.received.push(deposit.id);
      move(state, "DEPOSIT", "pix_in", "available", deposit.value ?? 0);
      state.jobs.push({ queue: "pay-waiting-batches" });
    }
    commit();
  }
}

const kindsInOrder: readonly NetworkEvent["kind"][] = ["failed", "settled", "finished", "returned"];
const placeOf = ({ kind }: NetworkEvent) => kindsInOrder.indexOf(kind);

/**
 * Fails a payment. In a batch it waits for an admin; a withdrawal cannot be corrected, so its money returns at once.
 * Returns whether it did.
 */
function fail(state: State, payment: Payment): boolean {
  if (state.batches[payment.batch]?.type !== "WITHDRAWAL") {
    payment.status = "FAILED";
    return false;
  }
  payment.status = "RETURNED";
  move(state, "REFUND", "reserved", "available", payment.value ?? 0);
  finish(state, payment.batch);
  return true;
}

/** Applies an event and returns whether money came back. A report of an order that was corrected later is ignored. */
function apply(state: State, { payment: label, attempt, kind }: NetworkEvent): boolean {
  const payment = state.payments[label ?? -1];
  if (!payment || payment.attempt !== attempt) return false;
  const isUnderWay = payment.status === "EXECUTING";
  const hasArrived = payment.status === "TRANSFERRED" || payment.status === "FINISHED";
  if (!isUnderWay && !hasArrived) return false;
  payment.handedOver = true;
  if (kind === "failed") return isUnderWay && fail(state, payment);
  if (isUnderWay) move(state, "PAYMENT", "reserved", "payouts", payment.value ?? 0);
  if (kind === "returned") {
    // The payment had arrived without a report: whether that report comes before, after or never, the batch ends alike.
    payment.status = "TRANSFERRED";
    finish(state, payment.batch);
    payment.status = "RETURNED";
    move(state, "REFUND", "payouts", "available", payment.value ?? 0);
  } else if (kind === "finished" || methodOf(payment) !== "TED") payment.status = "FINISHED";
  else if (isUnderWay) payment.status = "TRANSFERRED";
  finish(state, payment.batch);
  return kind === "returned";
}
