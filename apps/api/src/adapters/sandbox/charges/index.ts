/**
 * Simulates the acquirer and the clearing house: they accept charges and report the results to the event handlers of
 * the sandbox network. For the simulator, they also act as payers, other banks and the Pix system.
 */
import { randomBytes } from "node:crypto";
import {
  businessDayOnOrAfter,
  type CalendarDate,
  nextBusinessDay,
  saoPauloDate,
  saoPauloTime,
  startOfDay,
  tedExecutionDate,
  tedOpens,
} from "@malote/domain/calendar";
import { dayMs, hourMs } from "@malote/domain/durations";
import { endToEndId } from "@malote/domain/end-to-end-id";
import { lateCharges } from "@malote/domain/late-charges";
import { cents } from "@malote/domain/money";
import { precautionaryBlockHours } from "@malote/domain/payin";
import type { Clock } from "../../../platform/clock.ts";
import type { AnyTx, DatabaseWithSandbox } from "../../../platform/db/database.ts";
import { uuidv7 } from "../../../platform/uuid.ts";
import { sandboxAdapter } from "../../../ports/adapter-choice.ts";
import type {
  ChargeOrder,
  ChargeState,
  Charges,
  PayinEvent,
  RefundOrder,
  RefundState,
} from "../../../ports/charges.ts";
import { happens, shareOf } from "../network/chance.ts";
import { outsideBank, type SandboxNetwork } from "../network/network.ts";
import { NoAnswer } from "../network/no-answer.ts";
import { readSettings } from "../network/settings.ts";
import { countCall, insertEvent } from "../network/store.ts";
import { failureOfRefund, isSlowRefund, refusalOfCard, slowRefundMs } from "./magic-values.ts";
import {
  type ChargeName,
  deleteEvent,
  endCharge,
  findRefundResult,
  insertCharge,
  insertRefund,
  listWaitingCharges,
  lockCharge,
  lockPayable,
  type StoredCharge,
} from "./store.ts";

export { chargeMagicValues, goodCard } from "./magic-values.ts";
export type { StoredCharge } from "./store.ts";

const waitingShownMax = 20;
/** Time until which a payment of a boleto settles on the same business day. */
const boletoCutOff = "13:30:00";
/** Days after the due date at which the bank writes off an unpaid boleto. */
const boletoWrittenOffDays = 30;
const morningMs = 7 * hourMs;

export interface SandboxCharges {
  charges: Charges;
  /** Returns false when the charge can no longer be paid. */
  pay(
    chargeId: string,
    payer?: { name?: string | undefined; document?: string | undefined },
  ): Promise<boolean>;
  waiting(): Promise<StoredCharge[]>;
  sendTed(ted: {
    companyId: string;
    value: number;
    payer: { name: string; document: string | null };
    purpose: "payment" | "receivables";
  }): Promise<{ id: string; arrivesAt: Date }>;
  block(pix: { companyId: string; endToEndId: string; reason: string }): Promise<void>;
  endBlock(
    pix: { companyId: string; endToEndId: string },
    outcome: "released" | "returned" | "kept",
  ): Promise<void>;
}

export function createSandboxCharges(services: {
  db: DatabaseWithSandbox;
  clock: Clock;
  network: Pick<SandboxNetwork, "wake">;
}): SandboxCharges {
  const { db, clock, network } = services;

  async function runInNetwork<T>(work: (tx: AnyTx, now: Date) => Promise<T>): Promise<T> {
    const result = await db.withSandbox((tx) => work(tx, clock.now()));
    network.wake();
    return result;
  }
  const schedule = (tx: AnyTx, event: PayinEvent) =>
    insertEvent(tx, event.companyId, event, new Date(event.at));

  /** Processes a call and loses some answers on purpose: half of the lost calls are processed nevertheless. */
  async function runAndAnswer<T>(id: string, work: (tx: AnyTx, now: Date) => Promise<T>): Promise<T> {
    const { answer } = await runInNetwork(async (tx, now) => {
      const { timeout_percent } = await readSettings(tx);
      const call = timeout_percent > 0 ? `${id} try ${await countCall(tx, id)}` : "";
      const isLost = happens(timeout_percent, `lost ${call}`);
      if (isLost && shareOf(`taken ${call}`) < 0.5) return { answer: undefined };
      const answer = await work(tx, now);
      return { answer: isLost ? undefined : answer };
    });
    if (answer === undefined) throw new NoAnswer();
    return answer;
  }

  return {
    charges: {
      id: sandboxAdapter,
      charge: (order) => runAndAnswer(order.id, (tx, now) => acceptCharge(tx, order, now)),
      cancel: (charge) => runAndAnswer(charge.id, (tx, now) => cancelCharge(tx, charge, now)),
      refund: (order) => runAndAnswer(order.id, (tx, now) => acceptRefund(tx, order, now)),
    },
    waiting: () => db.withSandbox((tx) => listWaitingCharges(tx, clock.now(), waitingShownMax)),

    pay: (chargeId, payer) =>
      runInNetwork(async (tx, now) => {
        const charge = await lockPayable(tx, chargeId);
        if (!charge || isOver(charge, now)) return false;
        const name = { companyId: charge.company_id, id: charge.id };
        const paid = paymentOf(charge, payer ?? {}, now);
        await endCharge(tx, name, "paid", paid);
        await deleteEvent(tx, eventIdOf(name, "charge_expired"));
        await schedule(tx, paid);
        return true;
      }),

    sendTed: ({ companyId, value, payer, purpose }) =>
      runInNetwork(async (tx, now) => {
        const id = uuidv7(now.getTime());
        const opens = tedOpens(tedExecutionDate(now));
        const arrivesAt = new Date(Math.max(opens.getTime(), now.getTime()));
        await schedule(tx, {
          kind: "ted_received",
          id: `${id}:ted_received`,
          companyId,
          at: arrivesAt.toISOString(),
          paymentId: id,
          value,
          purpose,
          payer: outsideAccount(payer.name, payer.document),
        });
        return { id, arrivesAt };
      }),

    block: ({ companyId, endToEndId: e2e, reason }) =>
      runInNetwork(async (tx, now) => {
        const until = new Date(now.getTime() + precautionaryBlockHours * hourMs);
        const about = { companyId, endToEndId: e2e };
        await schedule(tx, {
          ...about,
          kind: "payin_blocked",
          id: `${e2e}:payin_blocked`,
          at: now.toISOString(),
          reason,
        });
        await schedule(tx, {
          ...about,
          kind: "block_ended",
          id: blockEndId(e2e),
          at: until.toISOString(),
          outcome: "released",
        });
      }),

    endBlock: ({ companyId, endToEndId: e2e }, outcome) =>
      runInNetwork(async (tx, now) => {
        // Replaces the scheduled end of the block.
        await deleteEvent(tx, blockEndId(e2e));
        const about = { companyId, endToEndId: e2e, at: now.toISOString() };
        if (outcome === "kept")
          return schedule(tx, { ...about, kind: "block_kept", id: `${e2e}:block_kept` });
        const ended = { ...about, kind: "block_ended", id: blockEndId(e2e), outcome } as const;
        if (outcome === "released") return schedule(tx, ended);
        // The money takes as long as any refund to return.
        await schedule(tx, { ...about, kind: "pix_rejected", id: `${e2e}:pix_rejected` });
        const { pix_latency_ms: latencyMs } = await readSettings(tx);
        await schedule(tx, { ...ended, at: new Date(now.getTime() + latencyMs).toISOString() });
      }),
  };
}

const isOver = ({ charge_data: { expiresAt } }: StoredCharge, now: Date) =>
  expiresAt !== undefined && new Date(expiresAt) <= now;
const eventIdOf = ({ companyId, id }: ChargeName, kind: PayinEvent["kind"]) => `${companyId}:${id}:${kind}`;
const blockEndId = (e2e: string) => `${e2e}:block_ended`;

async function acceptCharge(tx: AnyTx, order: ChargeOrder, now: Date): Promise<ChargeState> {
  const { id, companyId, amount, payer, receiver, method } = order;
  const decided = method === "credit_card" ? decideSale(order, now) : null;
  const isNew = await insertCharge(tx, {
    id,
    company_id: companyId,
    method,
    amount,
    charge_data: {
      payer,
      receiver,
      ...(method !== "credit_card" && { expiresAt: expiryOf(order).at }),
      ...(method === "boleto" && { dueDate: order.dueDate, late: order.late }),
    },
    taken_at: now,
    state: decided === null ? "waiting" : decided.kind === "charge_authorized" ? "authorized" : "refused",
    answer: decided,
  });
  if (isNew) {
    const common = method === "credit_card" ? decided : expiryOf(order);
    if (common) await insertEvent(tx, companyId, common, new Date(common.at));
  }
  const charge = await lockCharge(tx, order);
  return stateOf(charge, now);
}

/** Returns the state of a charge. A paid boleto settles later and is reported as waiting until then. */
function stateOf(charge: StoredCharge | undefined, now: Date): ChargeState {
  const answer = charge?.answer ?? "waiting";
  const isAhead = answer !== "waiting" && answer.kind === "charge_paid" && new Date(answer.at) > now;
  return isAhead ? "waiting" : answer;
}

function decideSale(order: Extract<ChargeOrder, { method: "credit_card" }>, now: Date): PayinEvent {
  const common = { companyId: order.companyId, chargeId: order.id, at: now.toISOString() };
  const reason = refusalOfCard(order.card, now);
  if (reason) return { ...common, kind: "charge_refused", id: eventIdOf(order, "charge_refused"), reason };
  const authorizationCode = String(Math.floor(shareOf(`authorised ${order.id}`) * 1_000_000)).padStart(
    6,
    "0",
  );
  return {
    ...common,
    kind: "charge_authorized",
    id: eventIdOf(order, "charge_authorized"),
    authorizationCode,
  };
}

function expiryOf(order: Exclude<ChargeOrder, { method: "credit_card" }>): PayinEvent {
  const at =
    order.method === "pix"
      ? order.expiresAt
      : new Date(
          startOfDay(businessDayOnOrAfter(order.dueDate as CalendarDate)).getTime() +
            boletoWrittenOffDays * dayMs,
        ).toISOString();
  return {
    kind: "charge_expired",
    id: eventIdOf(order, "charge_expired"),
    companyId: order.companyId,
    chargeId: order.id,
    at,
  };
}

/** Cancels a charge. Stores an unknown id as cancelled, so that it can never be charged afterwards. */
async function cancelCharge(tx: AnyTx, name: ChargeName, now: Date): Promise<ChargeState> {
  const { id, companyId } = name;
  const cancelled: PayinEvent = {
    kind: "charge_cancelled",
    id: eventIdOf(name, "charge_cancelled"),
    companyId,
    chargeId: id,
    at: now.toISOString(),
    by: "user",
  };
  const isUnknown = await insertCharge(tx, {
    id,
    company_id: companyId,
    method: "none",
    amount: 0,
    charge_data: {},
    taken_at: now,
    state: "cancelled",
    answer: cancelled,
  });
  if (isUnknown) return cancelled;
  const charge = await lockCharge(tx, name);
  if (charge?.state !== "waiting") return stateOf(charge, now);
  await endCharge(tx, name, "cancelled", cancelled);
  await deleteEvent(tx, eventIdOf(name, "charge_expired"));
  return cancelled;
}

async function acceptRefund(tx: AnyTx, order: RefundOrder, now: Date): Promise<RefundState> {
  const { pix_latency_ms: latencyMs } = await readSettings(tx);
  const at = new Date(now.getTime() + (isSlowRefund(order.amount) ? slowRefundMs : latencyMs)).toISOString();
  const common = { companyId: order.companyId, refundId: order.id, at };
  const reason = failureOfRefund(order.amount);
  const result: PayinEvent = reason
    ? { ...common, kind: "refund_failed", id: `${order.id}:refund_failed`, reason }
    : { ...common, kind: "refund_done", id: `${order.id}:refund_done` };
  // A repeated id keeps its first result and the time of the first call.
  await insertRefund(tx, order, result, now);
  await insertEvent(tx, order.companyId, result, new Date(at));
  return (await findRefundResult(tx, order.id, now)) ?? "under_way";
}

function paymentOf(
  charge: StoredCharge,
  payer: { name?: string | undefined; document?: string | undefined },
  now: Date,
): PayinEvent {
  const isPix = charge.method === "pix";
  const known = charge.charge_data.payer;
  const paymentId = isPix
    ? endToEndId(outsideBank.ispb, now, randomBytes(6).toString("hex").slice(0, 11))
    : uuidv7();
  return {
    kind: "charge_paid",
    id: eventIdOf({ companyId: charge.company_id, id: charge.id }, "charge_paid"),
    companyId: charge.company_id,
    chargeId: charge.id,
    at: (isPix ? now : boletoSettlement(now)).toISOString(),
    paymentId,
    value: charge.amount + lateBy(charge, now),
    // A boleto does not identify its payer.
    payer: isPix ? outsideAccount(payer.name ?? known.name, payer.document ?? known.taxId) : null,
  };
}

/** Returns the late charges that the boleto's register demands and the payer's bank adds. */
function lateBy({ amount, charge_data: { dueDate, late } }: StoredCharge, now: Date): number {
  if (!dueDate || !late) return 0;
  const days = { dueDate: dueDate as CalendarDate, paidOn: saoPauloDate(now) };
  const { interest, fine } = lateCharges(cents(amount), late, days);
  return interest + fine;
}

function boletoSettlement(now: Date): Date {
  const today = saoPauloDate(now);
  if (businessDayOnOrAfter(today) === today && saoPauloTime(now) <= boletoCutOff) return now;
  return new Date(startOfDay(nextBusinessDay(today)).getTime() + morningMs);
}

const outsideAccount = (name: string, document: string | null) => ({
  name,
  document,
  bank: outsideBank.name,
  agency: "0001",
  account: "4820173",
  accountDigit: "6",
  accountType: "CONTA_CORRENTE",
});
