/** Refunds of received money: requested by a person or accepted in a contestation, and executed by the network. */

import type { EventActor } from "@malote/contracts/events";
import { cents } from "@malote/domain/money";
import { isPixPayin, refusalOfRefund } from "@malote/domain/payin";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { reachFailPoint } from "../platform/fail-points.ts";
import { forEachInTurn } from "../platform/for-each-in-turn.ts";
import type { Services } from "../platform/services.ts";
import { applyAnswer } from "./apply-event.ts";
import { undoSale } from "./card-sales.ts";
import { returnMoney } from "./money.ts";
import type { ChargingNeeds } from "./needs.ts";
import { claimDueRefunds, findRefund } from "./refund-store.ts";
import { findPayin, lockPayin, type PayinRow, payinFactsOf } from "./store.ts";

/**
 * Refunds a payin; the job asks the network after the commit. Throws a code of the catalogue, and then nothing is
 * written.
 */
export async function requestRefund(
  tx: Tx,
  services: Pick<Services, "jobs">,
  payin: PayinRow,
  refund: { id: string; amount: number; by: EventActor | null },
  now: Date,
): Promise<void> {
  const refusal = refusalOfRefund(payinFactsOf(payin), cents(refund.amount), now);
  if (refusal) throw new AppError(refusal);
  const requested = { ...refund, nature: "asked", askAt: now } as const;
  const posted =
    payin.payment_type === "credit_card"
      ? await undoSale(tx, payin, requested, now)
      : await returnMoney(tx, payin, requested, now);
  if (!posted) throw new AppError("insufficient_balance");
  await services.jobs.enqueue(tx, "send-refunds", { companyId: tx.companyId });
}

export type PayinReturn =
  | { kind: "returned"; refundId: string; amount: number }
  | { kind: "refused"; code: "payin_not_refundable" | "refund_above_refundable" | "insufficient_balance" };

/**
 * Returns a received Pix because an infraction was accepted: the money leaves the balance, its blocked part first. The
 * amount never exceeds the unreturned part; the limit of 90 days does not apply, because an infraction reported in time
 * may end later. A repeated `refundId` returns the first result and moves nothing. A refusal writes nothing.
 */
export async function returnPayin(
  tx: Tx,
  requested: { payinId: string; refundId: string; amount: number; now: Date },
): Promise<PayinReturn> {
  const payin = await lockPayin(tx, requested.payinId);
  if (!payin || !isPixPayin(payin.payment_type)) return { kind: "refused", code: "payin_not_refundable" };
  const first = await findRefund(tx, requested.refundId);
  if (first) return { kind: "returned", refundId: first.id, amount: first.amount };
  if (payin.received_amount === payin.refunded_amount)
    return { kind: "refused", code: "payin_not_refundable" };
  if (requested.amount > payin.received_amount - payin.refunded_amount) {
    return { kind: "refused", code: "refund_above_refundable" };
  }
  const refund = {
    id: requested.refundId,
    amount: requested.amount,
    nature: "infraction",
    askAt: null,
    by: null,
  } as const;
  if (!(await returnMoney(tx, payin, refund, requested.now)))
    return { kind: "refused", code: "insufficient_balance" };
  return { kind: "returned", refundId: requested.refundId, amount: requested.amount };
}

const refundsAtOnce = 50;

/** Asks the network for refunds that are due or unanswered; runs as the job `send-refunds` and on schedule. */
export async function sendDueRefunds(
  services: ChargingNeeds,
  { companyId }: { companyId: string },
): Promise<void> {
  const claimed = await services.db.withCompany(companyId, async (tx) => {
    const due = await claimDueRefunds(tx, services.clock.now(), refundsAtOnce);
    return Promise.all(due.map(async (refund) => ({ refund, payin: await findPayin(tx, refund.payin_id) })));
  });
  await forEachInTurn(claimed, async ({ refund, payin }) => {
    if (!payin) throw new Error(`the payin of refund ${refund.id} does not exist`);
    const { id, amount } = refund;
    const isCard = payin.payment_type === "credit_card";
    const order = {
      id,
      companyId,
      amount,
      endToEndId: isCard ? null : payin.end_to_end_id,
      chargeId: isCard ? payin.charge_id : null,
    };
    const answer = await services.charges.refund(order).catch((error: unknown) => {
      services.log.warn(
        { err: error, company: companyId, refund: id },
        "the network did not answer about a refund",
      );
      return undefined;
    });
    reachFailPoint("after-rail-call");
    if (!answer || answer === "under_way") return;
    if (!("refundId" in answer) || answer.refundId !== id || answer.companyId !== companyId)
      throw new Error(`event ${answer.id}, the answer about refund ${id}, names another refund`);
    await applyAnswer(services, answer);
  });
}
