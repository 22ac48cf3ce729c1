/**
 * The money of payins: it arrives, is blocked and released, is returned, and comes back when a return failed. Each
 * function expects the payin's row locked by the same transaction, and leaves row and books in agreement.
 */
import type { EventActor } from "@malote/contracts/events";
import type { StatementEntry } from "@malote/contracts/statement";
import { dayMs } from "@malote/domain/durations";
import { cents } from "@malote/domain/money";
import { isPixPayin, pixRefundDays, refundCeiling, statusAfterRefunds } from "@malote/domain/payin";
import { normaliseTaxId } from "@malote/domain/tax-id";
import { type LedgerAccount, type Movement, post, readAvailableBalance } from "../ledger/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { emit } from "../platform/events/emit.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { blockIfRefundsFail, hasRefundOnItsWay, insertRefund, type RefundRow } from "./refund-store.ts";
import {
  type Arrived,
  findPayinByCause,
  insertPayin,
  isBlocked,
  markReceived,
  type NewPayin,
  type PayinRow,
  payinFactsOf,
  settlePayin,
  updatePayinFacts,
} from "./store.ts";

type Payer = NonNullable<StatementEntry["complement"]["payer"]>;

/** Channel of incoming money; decides the ledger account and the posting's cause. */
export type Channel = "pix" | "ted" | "boleto";
const sourceOf: Record<Channel, LedgerAccount> = { pix: "pix_in", ted: "ted_in", boleto: "boleto_in" };
const arrivalOf: Record<Channel, string> = {
  pix: "Pix recebido",
  ted: "TED recebida",
  boleto: "Boleto recebido",
};

export interface Arrival {
  channel: Channel;
  /** The network's id of the payment; a Pix has its end-to-end id here. */
  paymentId: string;
  value: number;
  at: string;
  payer: Payer | null;
  message?: string | null;
}

/** Returns the cause of a posting: each payment has exactly one, and no two payments share one. */
export const causeOf = ({ channel, paymentId }: Pick<Arrival, "channel" | "paymentId">) =>
  `${channel}:${paymentId}`;

async function postArrival(tx: Tx, jobs: Jobs, arrival: Arrival, now: Date): Promise<void> {
  const { channel, payer, message } = arrival;
  const posted = await post(tx, now, [
    {
      type: "DEPOSIT",
      cause: causeOf(arrival),
      from: sourceOf[channel],
      to: "available",
      amount: arrival.value,
      description: payer ? `${arrivalOf[channel]} de ${payer.name}` : arrivalOf[channel],
      complement: {
        timestamp: arrival.at,
        bank: payer?.bank ?? null,
        isTed: channel === "ted",
        isPix: channel === "pix",
        ...(channel === "pix" && { end_to_end_id: arrival.paymentId }),
        ...(payer && { payer }),
        ...(message && { message }),
      },
    },
  ]);
  if (!posted) throw new Error("a posting of incoming money was refused");
  await jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
}

/** Returns the columns that every payin has once its money arrived. */
const arrived = (arrival: Arrival): Arrived => {
  const at = new Date(arrival.at);
  const isPix = arrival.channel === "pix";
  return {
    amount: cents(arrival.value),
    received_amount: cents(arrival.value),
    posting_cause: causeOf(arrival),
    received_at: at,
    ...(isPix && {
      end_to_end_id: arrival.paymentId,
      refund_expires_at: new Date(at.getTime() + pixRefundDays * dayMs),
    }),
    ...(arrival.payer && {
      payer_name: arrival.payer.name,
      payer_tax_id: arrival.payer.document && normaliseTaxId(arrival.payer.document),
    }),
  };
};

/**
 * Returns the contradiction when the books have this money with another amount or for another key. The text omits the
 * key, because logs never contain one.
 */
export function contradictionOf(
  { value }: Arrival,
  known: Pick<PayinRow, "received_amount" | "details">,
  pixKey?: string,
): string | undefined {
  if (value !== known.received_amount)
    return `received with ${value} centavos, but the books have it with ${known.received_amount}`;
  const { pix_key } = known.details;
  if (pixKey !== undefined && pix_key !== undefined && pixKey !== pix_key)
    return "received for another key than the one that the books have it for";
  return undefined;
}

/**
 * Adds a payin for unrequested money. A repeated delivery changes nothing; another amount under the same id is never
 * posted, because either side may be wrong.
 */
export async function receiveUnrequested(
  tx: Tx,
  jobs: Jobs,
  arrival: Arrival,
  payin: Pick<NewPayin, "id" | "payment_type"> & Partial<NewPayin>,
  now: Date,
): Promise<{ isNew: boolean; contradiction?: string | undefined }> {
  const isNew = await insertPayin(tx, {
    created_at: new Date(arrival.at),
    ...payin,
    ...arrived(arrival),
    status: "received",
  });
  if (isNew) {
    await postArrival(tx, jobs, arrival, now);
    await emitReceived(tx, payin.id, arrival, now);
    return { isNew };
  }
  const known = await findPayinByCause(tx, causeOf(arrival));
  if (!known) throw new Error(`no payin matches the received payment ${causeOf(arrival)}`);
  return { isNew, contradiction: contradictionOf(arrival, known, payin.details?.pix_key) };
}

export async function receiveCharge(
  tx: Tx,
  jobs: Jobs,
  arrival: Arrival,
  payin: PayinRow,
  now: Date,
): Promise<void> {
  await markReceived(tx, payin.id, now, arrived(arrival));
  await postArrival(tx, jobs, arrival, now);
  await emitReceived(tx, payin.id, arrival, now);
}

const emitReceived = (tx: Tx, payinId: string, { value: amount }: Arrival, now: Date): Promise<void> =>
  emit(tx, { now }, { type: "payin.received", objectId: payinId, payload: { amount } });

/**
 * Moves the part of the money that is still there from `available` to `blocked`; a refund under way is blocked if it
 * fails. Call `lockPayin` first. Returns false when nothing is there or the payin was blocked before.
 */
export async function blockPayin(tx: Tx, payin: PayinRow, reason: string, now: Date): Promise<boolean> {
  const hadItsBlock = payin.block_reason !== null || payin.details.block_ended_at !== undefined;
  if (!isPixPayin(payin.payment_type) || hadItsBlock) return false;
  if (await blockIfRefundsFail(tx, payin.id))
    await updatePayinFacts(tx, payin.id, now, { block_reason: reason });
  let amount = payin.received_amount - payin.refunded_amount;
  // The balance may fall after it was read, so the loop retries with the remaining amount.
  for (let tries = 0; amount > 0 && tries < 5; tries++) {
    if (await post(tx, now, [blocking(payin, amount, payin.id)])) {
      const block = { block_reason: reason, block_amount: cents(amount), blocked_at: now };
      await settlePayin(tx, payin.id, now, {
        ...block,
        status: await readStatusNow(tx, { ...payin, ...block }),
      });
      await emit(tx, { now }, { type: "payin.blocked", objectId: payin.id, payload: { amount, reason } });
      return true;
    }
    amount = Math.min(amount, await readAvailableBalance(tx));
  }
  return false;
}

/** Returns the movement of a block. `by`: the payin, or the refund whose failure causes the block. */
const blocking = (payin: PayinRow, amount: number, by: string): Movement => ({
  ...about(payin),
  type: "BLOCKED",
  cause: `block:${by}`,
  from: "available",
  to: "blocked",
  amount,
  description: "Bloqueio cautelar",
});

/**
 * Returns the movements that end a block; empty when there is none. `by`: the payin, or the refund that lifts the
 * block.
 */
function unblocking(payin: PayinRow, by: string): Movement[] {
  if (!isBlocked(payin) || payin.block_amount === null) return [];
  return [
    {
      ...about(payin),
      type: "BLOCKED_REFUND",
      cause: `unblock:${by}`,
      from: "blocked",
      to: "available",
      amount: payin.block_amount,
      description: "Fim do bloqueio cautelar",
    },
  ];
}

/** Returns the end of a block: now, or its start if it began while this transaction waited for the row lock. */
const endOfBlock = ({ blocked_at }: PayinRow, now: Date): Date =>
  blocked_at !== null && blocked_at > now ? blocked_at : now;

/** Ends a block and moves its money back to `available`; returns false when there is none. */
export async function unblockPayin(tx: Tx, jobs: Jobs, payin: PayinRow, now: Date): Promise<boolean> {
  if (!isBlocked(payin)) return false;
  if (!(await post(tx, now, unblocking(payin, payin.id))))
    throw new Error(`the blocked money of payin ${payin.id} is missing`);
  const unblocked_at = endOfBlock(payin, now);
  const status = await readStatusNow(tx, { ...payin, unblocked_at });
  const details = { block_ended_at: unblocked_at.toISOString() };
  await settlePayin(tx, payin.id, now, { unblocked_at, rejected_at: null, status, details });
  await emitUnblocked(tx, payin, now);
  await jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
  return true;
}

async function emitUnblocked(tx: Tx, { id, block_amount: amount }: PayinRow, now: Date): Promise<void> {
  if (amount !== null && amount > 0)
    await emit(tx, { now }, { type: "payin.unblocked", objectId: id, payload: { amount } });
}

const about = (payin: PayinRow) => ({
  complement: {
    isPix: isPixPayin(payin.payment_type),
    ...(payin.end_to_end_id && { end_to_end_id: payin.end_to_end_id }),
  },
});

/** Data that is written and posted together for one refund. */
export interface Return {
  id: string;
  amount: number;
  nature: RefundRow["nature"];
  /** Time at which the network is asked for the refund; null when the network itself reported it. */
  askAt: Date | null;
  /** The requester; null when no call requested it. */
  by: EventActor | null;
}

/**
 * Sends Pix money back to its payer: from the balance, after its blocked part was released. Returns false and writes
 * nothing when the balance is too low.
 */
export async function returnMoney(tx: Tx, payin: PayinRow, refund: Return, now: Date): Promise<boolean> {
  const posted = await post(tx, now, [
    ...unblocking(payin, refund.id),
    {
      ...about(payin),
      type: "DEPOSIT_REFUND",
      cause: `payin-refund:${refund.id}`,
      from: "available",
      to: "pix_in",
      amount: refund.amount,
      description: payin.payer_name ? `Devolução a ${payin.payer_name}` : "Devolução de recebimento",
    },
  ]);
  if (posted) await recordRefund(tx, payin, refund, now);
  return posted;
}

/** Stores the row, the sum and the status of a refund whose money moved; a block ends with it. */
export async function recordRefund(tx: Tx, payin: PayinRow, refund: Return, now: Date): Promise<void> {
  const { id, nature, askAt } = refund;
  const lifted = isBlocked(payin);
  const amount = cents(refund.amount);
  const blockedIfFailed = cents(lifted ? (payin.block_amount ?? 0) : 0);
  await insertRefund(
    tx,
    { id, payin_id: payin.id, amount, nature, blocked_if_failed: blockedIfFailed, created_at: now },
    askAt,
  );
  await settleRefunded(tx, payin, refund.amount, lifted ? { unblocked_at: endOfBlock(payin, now) } : {}, now);
  if (lifted) await emitUnblocked(tx, payin, now);
  const event = { objectId: payin.id, payload: { amount, refundId: id } };
  await (askAt
    ? emit(
        tx,
        { now },
        {
          type: "payin.refund_asked",
          ...event,
          payload: { ...event.payload, by: refund.by },
        },
      )
    : emit(
        tx,
        { now },
        {
          type: "payin.refunded",
          ...event,
          payload: { ...event.payload, ...(refund.nature === "block" && { by: "network" as const }) },
        },
      ));
}

/**
 * Returns the money of a failed refund to the company. The money is blocked when the refund lifted a block or a block
 * came meanwhile, unless that block has ended.
 */
export async function undoReturn(
  tx: Tx,
  jobs: Jobs,
  payin: PayinRow,
  refund: RefundRow,
  movements: readonly Movement[] | undefined,
  now: Date,
): Promise<void> {
  const toBlock = payin.details.block_ended_at === undefined ? refund.blocked_if_failed : 0;
  const blocked = isBlocked(payin) ? (payin.block_amount ?? 0) : 0;
  const block = {
    block_amount: cents(blocked + toBlock),
    blocked_at: payin.blocked_at ?? now,
    unblocked_at: null,
  };
  const posted = await post(tx, now, [
    ...(movements ?? [
      {
        ...about(payin),
        type: "CANCELLED_DEPOSIT_REFUND",
        cause: `payin-refund-failed:${refund.id}`,
        from: "pix_in",
        to: "available",
        amount: refund.amount,
        description: "Devolução não realizada",
      } as const,
    ]),
    ...(toBlock > 0 ? [blocking(payin, toBlock, refund.id)] : []),
  ]);
  if (!posted) throw new Error("a posting of returned money was refused");
  await settleRefunded(tx, payin, -refund.amount, toBlock > 0 ? block : {}, now);
  await emit(
    tx,
    { now },
    {
      type: "payin.refund_failed",
      objectId: payin.id,
      payload: { amount: refund.amount, refundId: refund.id, reason: refund.error ?? "" },
    },
  );
  if (toBlock > 0)
    await emit(
      tx,
      { now },
      {
        type: "payin.blocked",
        objectId: payin.id,
        payload: { amount: toBlock, reason: payin.block_reason },
      },
    );
  await jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
}

/** Adds to the refunded amount and sets the status that follows. */
async function settleRefunded(
  tx: Tx,
  payin: PayinRow,
  by: number,
  block: Partial<Pick<PayinRow, "block_amount" | "blocked_at" | "unblocked_at">>,
  now: Date,
): Promise<void> {
  const changes = { ...block, refunded_amount: cents(payin.refunded_amount + by) };
  const status = await readStatusNow(tx, { ...payin, ...changes });
  await settlePayin(tx, payin.id, now, { ...changes, status });
}

export async function readStatusNow(tx: Tx, payin: PayinRow) {
  return statusAfterRefunds({
    isBlocked: isBlocked(payin),
    isRejected: payin.rejected_at !== null,
    isPromised: payin.payment_type === "credit_card" && payin.received_amount < payin.amount,
    hasRefundOnItsWay: await hasRefundOnItsWay(tx, payin.id),
    ceiling: refundCeiling(payinFactsOf(payin)),
    refundedAmount: payin.refunded_amount,
  });
}
