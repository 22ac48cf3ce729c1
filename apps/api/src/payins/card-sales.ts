/**
 * Card sales: an authorised sale becomes receivables, each is credited on its day, and an undone sale reverses them.
 */

import { saoPauloDate } from "@malote/domain/calendar";
import { dayMs } from "@malote/domain/durations";
import { cents } from "@malote/domain/money";
import { cardInstallments, cardRefundDays } from "@malote/domain/payin";
import {
  insertReceivables,
  listSalesWithDueReceivables,
  markReceivablesReceived,
  markReceivablesRedone,
  markReceivablesUndone,
  type SaleReceivable,
} from "../card-receivables/index.ts";
import { type Movement, post } from "../ledger/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { emit } from "../platform/events/emit.ts";
import { forEachInTurn } from "../platform/for-each-in-turn.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { type Return, readStatusNow, recordRefund } from "./money.ts";
import type { RefundRow } from "./refund-store.ts";
import { lockPayin, markAuthorized, type PayinRow, settlePayin } from "./store.ts";

/** Adds the receivables of a sale that the acquirer authorised. */
export async function authorizeSale(
  tx: Tx,
  payin: PayinRow,
  sale: { authorizationCode: string; at: string; feeBasisPoints: number },
  now: Date,
): Promise<void> {
  const soldAt = new Date(sale.at);
  const installments = payin.details.installments ?? 1;
  const receivables = cardInstallments({
    amount: payin.amount,
    installments,
    soldOn: saoPauloDate(soldAt),
    feeBasisPoints: sale.feeBasisPoints,
  }).map(({ number, gross, net, expectedOn }) => ({
    id: uuidv7(now.getTime()),
    installment: number,
    gross_amount: gross,
    net_amount: net,
    expected_receive_date: expectedOn,
  }));
  await markAuthorized(tx, payin.id, now, {
    charged_at: payin.charged_at ?? now,
    refund_expires_at: new Date(soldAt.getTime() + cardRefundDays * dayMs),
    details: { authorization_code: sale.authorizationCode },
  });
  const { authorizationCode } = sale;
  await insertReceivables(tx, { payinId: payin.id, installments, soldAt, authorizationCode }, receivables);
  await emit(
    tx,
    { now },
    {
      type: "payin.authorized",
      objectId: payin.id,
      payload: { amount: payin.amount },
    },
  );
}

const feeOf = (receivable: SaleReceivable) => receivable.gross_amount - receivable.net_amount;
const partOf = ({ installment, installments }: SaleReceivable) => `parcela ${installment} de ${installments}`;

function creditOf(receivable: SaleReceivable, suffix = ""): Movement[] {
  const movements: Movement[] = [
    {
      type: "DEPOSIT",
      cause: `card${suffix}:${receivable.id}`,
      from: "card_in",
      to: "available",
      amount: receivable.gross_amount,
      description: `Cartão de crédito, ${partOf(receivable)}`,
    },
  ];
  if (feeOf(receivable) > 0) {
    movements.push({
      type: "FEE",
      cause: `card-fee${suffix}:${receivable.id}`,
      from: "available",
      to: "fees",
      amount: feeOf(receivable),
      description: `Tarifa do cartão, ${partOf(receivable)}`,
    });
  }
  return movements;
}

/** Returns the movements of a reversal. The acquirer returns its fee, so the balance is as it was before the credit. */
function reversalOf(receivable: SaleReceivable, refundId: string): Movement[] {
  const movements: Movement[] = [];
  if (feeOf(receivable) > 0) {
    movements.push({
      type: "FEE",
      cause: `card-fee-back:${refundId}:${receivable.id}`,
      from: "fees",
      to: "available",
      amount: feeOf(receivable),
      description: `Estorno da tarifa do cartão, ${partOf(receivable)}`,
    });
  }
  movements.push({
    type: "DEPOSIT_REFUND",
    cause: `card-back:${refundId}:${receivable.id}`,
    from: "available",
    to: "card_in",
    amount: receivable.gross_amount,
    description: `Devolução de venda no cartão, ${partOf(receivable)}`,
  });
  return movements;
}

/**
 * Credits, on schedule, the receivables due until today. Handles one sale per transaction, so that a refund waits for
 * one sale at most.
 */
export async function receiveDueReceivables(
  services: Pick<Services, "db" | "clock" | "jobs">,
  { companyId }: { companyId: string },
): Promise<void> {
  const today = saoPauloDate(services.clock.now());
  const due = await services.db.readCompany(companyId, (tx) => listSalesWithDueReceivables(tx, today));
  await forEachInTurn(due, (payinId) =>
    services.db.withCompany(companyId, (tx) => receiveOfSale(tx, services, payinId)),
  );
}

async function receiveOfSale(
  tx: Tx,
  { clock, jobs }: Pick<Services, "clock" | "jobs">,
  payinId: string,
): Promise<void> {
  const now = clock.now();
  const today = saoPauloDate(now);
  const payin = await lockPayin(tx, payinId);
  if (!payin) throw new Error(`the sale ${payinId} of a receivable does not exist`);
  // Reads again with the row locked, because a refund may have committed meanwhile.
  const rows = await markReceivablesReceived(tx, payinId, today);
  if (rows.length === 0) return;
  if (
    !(await post(
      tx,
      now,
      rows.flatMap((row) => creditOf(row)),
    ))
  )
    throw new Error("a posting of incoming money was refused");
  const gross = rows.reduce((sum, row) => sum + row.gross_amount, 0);
  const grown = { ...payin, received_amount: cents(payin.received_amount + gross) };
  const isComplete = grown.received_amount === payin.amount;
  await settlePayin(tx, payinId, now, {
    received_amount: grown.received_amount,
    status: await readStatusNow(tx, grown),
    ...(isComplete && { received_at: now }),
  });
  await emit(
    tx,
    { now },
    {
      type: "payin.instalment_received",
      objectId: payinId,
      payload: { amount: gross },
    },
  );
  await jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
}

/** Undoes the whole sale. Returns false when the balance lacks the credited amount; the caller then rolls back. */
export async function undoSale(tx: Tx, payin: PayinRow, refund: Return, now: Date): Promise<boolean> {
  await recordRefund(tx, payin, refund, now);
  const rows = await markReceivablesUndone(tx, payin.id, refund.id);
  return post(
    tx,
    now,
    rows.filter((row) => row.status === "refunded").flatMap((row) => reversalOf(row, refund.id)),
  );
}

/**
 * Restores the receivables of a sale that the acquirer refused to undo; returns the movements that credit the received
 * ones again.
 */
export async function redoSale(tx: Tx, refund: RefundRow): Promise<Movement[]> {
  const rows = await markReceivablesRedone(tx, refund);
  return rows
    .filter((row) => row.status === "received")
    .flatMap((row) => creditOf(row, `-again:${refund.id}`));
}
