/** Applies the network's events about incoming money, once each, in any order. */
import { cents } from "@malote/domain/money";
import { isPixPayin } from "@malote/domain/payin";
import type { Tx } from "../platform/db/database.ts";
import { emit } from "../platform/events/emit.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { PayinEvent } from "../ports/charges.ts";
import { authorizeSale, redoSale } from "./card-sales.ts";
import { wasLinkPaid } from "./link-store.ts";
import {
  type Arrival,
  blockPayin,
  causeOf,
  contradictionOf,
  readStatusNow,
  receiveCharge,
  receiveUnrequested,
  returnMoney,
  unblockPayin,
  undoReturn,
} from "./money.ts";
import { findRefund, finishRefund, hasRefundOnItsWay } from "./refund-store.ts";
import {
  findPayinByEndToEndId,
  isBlocked,
  lockPayin,
  markEnded,
  type PayinRow,
  settlePayin,
  updatePayinFacts,
} from "./store.ts";

type Needs = Pick<Services, "clock" | "jobs" | "config">;
type Of<K extends PayinEvent["kind"]> = Extract<PayinEvent, { kind: K }>;

/**
 * Applies the network's answer to a call through the inbox, like all reports: it becomes a dead letter when it
 * contradicts the rows or cannot be applied.
 */
export const applyAnswer = (
  { handleEvents, charges }: Pick<Services, "handleEvents" | "charges">,
  answer: PayinEvent,
): Promise<void> => handleEvents([answer], { connection: charges.id, feed: "answer" });

/** Applies an event. Returns the contradiction with the rows here, for a person to review, or undefined. */
export async function applyPayinEvent(
  tx: Tx,
  services: Needs,
  event: PayinEvent,
): Promise<string | undefined> {
  switch (event.kind) {
    case "charge_paid":
      return applyPaid(tx, services, event);
    case "charge_authorized":
    case "charge_refused":
    case "charge_expired":
    case "charge_cancelled":
      return applyEnded(tx, services, event);
    case "ted_received":
      return receiveUnrequested(
        tx,
        services.jobs,
        arrivalOf(event, "ted"),
        {
          id: uuidv7(services.clock.now().getTime()),
          payment_type: "ted",
          category: event.purpose === "receivables" ? "settlement" : "payment",
        },
        services.clock.now(),
      ).then(({ contradiction }) => contradiction);
    case "refund_done":
    case "refund_failed":
      return refundEnded(tx, services, event);
    case "payin_blocked":
    case "block_ended":
      return applyBlocked(tx, services, event);
    case "block_kept":
    case "pix_rejected":
      return applyWhileBlocked(tx, services, event);
  }
}

function arrivalOf(
  { paymentId, value, at, payer }: Of<"charge_paid"> | Of<"ted_received">,
  channel: Arrival["channel"],
): Arrival {
  return {
    channel,
    paymentId,
    value,
    at,
    payer: payer && {
      name: payer.name,
      bank: payer.bank,
      agency: payer.agency,
      account: payer.account,
      account_digit: payer.accountDigit,
      account_type: payer.accountType,
      document: payer.document,
    },
  };
}

async function applyPaid(tx: Tx, services: Needs, event: Of<"charge_paid">): Promise<string | undefined> {
  const { clock, jobs } = services;
  const payin = await lockPayin(tx, event.chargeId);
  if (!payin) return "no charge has this id";
  if (payin.payment_type === "credit_card") return "a card sale is authorised, not paid";
  const now = clock.now();
  const arrival = arrivalOf(event, isPixPayin(payin.payment_type) ? "pix" : "boleto");
  if (payin.posting_cause === causeOf(arrival)) return contradictionOf(arrival, payin);
  if (payin.posting_cause === null) {
    // Records money that arrived, even when the charge counted as ended.
    const isDouble = await wasLinkPaid(tx, payin);
    await receiveCharge(tx, jobs, arrival, payin, now);
    if (isDouble) await markDouble(tx, { ...payin, amount: cents(event.value) }, now);
    if (payin.payment_link_id) {
      await jobs.enqueue(tx, "cancel-charges", {
        companyId: tx.companyId,
        paymentLinkId: payin.payment_link_id,
      });
    }
    return undefined;
  }
  // A second payment is the company's money until it returns it, and gets a payin of its own. A block of the first
  // payment does not apply to it.
  const { block_ended_at: _, ...details } = payin.details;
  const second = {
    id: uuidv7(now.getTime()),
    payment_type: payin.payment_type,
    txid: payin.txid,
    charge_id: payin.id,
    payment_link_id: payin.payment_link_id,
    is_double: true,
    details,
  };
  const { isNew, contradiction } = await receiveUnrequested(tx, jobs, arrival, second, now);
  if (isNew) await emitDoubled(tx, { ...payin, ...second, amount: cents(event.value) }, now);
  return contradiction;
}

async function markDouble(tx: Tx, payin: PayinRow, now: Date): Promise<void> {
  await updatePayinFacts(tx, payin.id, now, { is_double: true });
  await emitDoubled(tx, payin, now);
}

const emitDoubled = (
  tx: Tx,
  payin: Pick<PayinRow, "id" | "amount" | "payment_type" | "payer_name" | "details">,
  now: Date,
): Promise<void> =>
  emit(
    tx,
    { now },
    {
      type: "payin.doubled",
      objectId: payin.id,
      payload: {
        amount: payin.amount,
        canGoBack: isPixPayin(payin.payment_type) || payin.payment_type === "credit_card",
        payer: payin.payer_name,
        charge: payin.details.description ?? null,
      },
    },
  );

type Ended = Of<"charge_authorized"> | Of<"charge_refused"> | Of<"charge_expired"> | Of<"charge_cancelled">;

const endOf = (
  event: Exclude<Ended, Of<"charge_authorized">>,
  now: Date,
): Omit<Parameters<typeof markEnded>[3], "charged_at"> => {
  if (event.kind === "charge_refused") {
    return { status: "unauthorized", rejected_at: now, details: { rejection_reason: event.reason } };
  }
  if (event.kind === "charge_expired") return { status: "expired" };
  return { status: event.by === "user" ? "canceled_by_user" : "canceled_by_psp" };
};

async function applyEnded(tx: Tx, services: Needs, event: Ended): Promise<string | undefined> {
  const { clock, config, jobs } = services;
  const payin = await lockPayin(tx, event.chargeId);
  if (!payin) return "no charge has this id";
  // The first final status stays; late or repeated reports change nothing.
  if (payin.status !== "pending") return contradicted(payin, event);
  const now = clock.now();
  if (event.kind !== "charge_authorized") {
    const end = endOf(event, now);
    await markEnded(tx, payin.id, now, { ...end, charged_at: payin.charged_at ?? now });
    const reason = end.details?.rejection_reason ?? null;
    await emit(
      tx,
      { now },
      {
        type: "payin.ended",
        objectId: payin.id,
        payload: { amount: payin.amount, status: end.status, reason },
      },
    );
    return undefined;
  }
  if (payin.payment_type !== "credit_card") return "only a card is authorised";
  const { authorizationCode, at } = event;
  const isDouble = await wasLinkPaid(tx, payin);
  await authorizeSale(tx, payin, { authorizationCode, at, feeBasisPoints: config.cardFeeBasisPoints }, now);
  if (isDouble) await markDouble(tx, payin, now);
  if (payin.payment_link_id) {
    await jobs.enqueue(tx, "cancel-charges", {
      companyId: tx.companyId,
      paymentLinkId: payin.payment_link_id,
    });
  }
  return undefined;
}

/**
 * Returns a contradiction when only one side considers a sale authorised, for a person to review; other reports are
 * merely late.
 */
function contradicted(payin: PayinRow, event: Ended): string | undefined {
  const wasAuthorized = payin.details.authorization_code !== undefined;
  const isAuthorized = event.kind === "charge_authorized";
  if (payin.payment_type !== "credit_card" || wasAuthorized === isAuthorized) return undefined;
  return `${event.kind}, but the sale is ${payin.status}`;
}

async function refundEnded(
  tx: Tx,
  { clock, jobs }: Needs,
  event: Of<"refund_done"> | Of<"refund_failed">,
): Promise<string | undefined> {
  const known = await findRefund(tx, event.refundId);
  if (!known) return "no refund has this id";
  const payin = await lockPayin(tx, known.payin_id);
  if (!payin) throw new Error(`the payin of refund ${known.id} does not exist`);
  const now = clock.now();
  const error = event.kind === "refund_failed" ? event.reason : null;
  const refund = await finishRefund(tx, known.id, error, now);
  if (!refund) {
    const outcome = event.kind === "refund_done" ? "succeeded" : "failed";
    const ended = await findRefund(tx, known.id);
    return ended?.status === outcome ? undefined : `${event.kind}, but the refund is ${ended?.status}`;
  }
  if (error === null) {
    await settlePayin(tx, payin.id, now, { status: await readStatusNow(tx, payin) });
    await emit(
      tx,
      { now },
      {
        type: "payin.refunded",
        objectId: payin.id,
        payload: { amount: refund.amount, refundId: refund.id, by: "network" },
      },
    );
    return undefined;
  }
  const movements = payin.payment_type === "credit_card" ? await redoSale(tx, refund) : undefined;
  await undoReturn(tx, jobs, payin, refund, movements, now);
  return undefined;
}

async function applyBlocked(
  tx: Tx,
  { clock, jobs }: Needs,
  event: Of<"payin_blocked"> | Of<"block_ended">,
): Promise<string | undefined> {
  const found = await findPayinByEndToEndId(tx, event.endToEndId);
  const payin = found && (await lockPayin(tx, found.id));
  // The Pix itself may arrive later: the error makes the event a dead letter, which is retried.
  if (!payin) throw new Error(`no payin has the end-to-end id ${event.endToEndId}`);
  const now = clock.now();
  if (event.kind === "payin_blocked") {
    await blockPayin(tx, payin, event.reason, now);
    return undefined;
  }
  const wasReported = payin.block_reason !== null;
  // If that refund fails, its money is blocked and must be returned too: the event stays a dead letter until the
  // outcome is known.
  if (event.outcome === "returned" && wasReported && (await hasRefundOnItsWay(tx, payin.id)))
    throw new Error(`payin ${payin.id} has a refund under way`);
  const details = { block_ended_at: now.toISOString() };
  const rejectedAt = payin.rejected_at ?? now;
  if (!isBlocked(payin)) {
    // The payin is not blocked: its money was spent, the block event is still missing, or a refund lifted the block.
    await updatePayinFacts(tx, payin.id, now, { details });
    return event.outcome === "returned" && !wasReported ? "a block returned what was not blocked" : undefined;
  }
  if (event.outcome === "released") {
    await unblockPayin(tx, jobs, payin, now);
    return undefined;
  }
  const refund = {
    id: uuidv7(now.getTime()),
    amount: payin.block_amount ?? 0,
    nature: "block",
    askAt: null,
    by: null,
  } as const;
  if (!(await returnMoney(tx, payin, refund, now)))
    throw new Error(`the blocked money of payin ${payin.id} is missing`);
  await updatePayinFacts(tx, payin.id, now, { rejected_at: rejectedAt, details });
  return undefined;
}

/**
 * PAY-024: applies an event about a precautionary block. It changes nothing after the block ended or when the money was
 * spent.
 */
async function applyWhileBlocked(
  tx: Tx,
  { clock }: Pick<Needs, "clock">,
  event: Of<"block_kept"> | Of<"pix_rejected">,
): Promise<undefined> {
  const found = await findPayinByEndToEndId(tx, event.endToEndId);
  const payin = found && (await lockPayin(tx, found.id));
  if (!payin) throw new Error(`no payin has the end-to-end id ${event.endToEndId}`);
  if (!isBlocked(payin)) return undefined;
  const now = clock.now();
  if (event.kind === "block_kept") {
    await updatePayinFacts(tx, payin.id, now, { details: { block_kept_at: now.toISOString() } });
    await emit(tx, { now }, { type: "payin.block_kept", objectId: payin.id, payload: {} });
    return undefined;
  }
  const status = await readStatusNow(tx, { ...payin, rejected_at: now });
  await settlePayin(tx, payin.id, now, { rejected_at: now, status });
  await emit(tx, { now }, { type: "payin.rejected", objectId: payin.id, payload: {} });
  return undefined;
}
