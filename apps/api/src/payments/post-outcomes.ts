/** Effects of moved payments on the balance, the limits and the lookup tokens of a company. */
import { type Movement, post } from "../ledger/index.ts";
import {
  type MovedTransfer,
  payeeOf,
  releaseBatchLimits,
  returnTokens,
  type SystemBatchType,
} from "../payouts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Moved, SinglePayment } from "./outcomes.ts";

export async function postOutcomes(tx: Tx, { ofBatches, singles }: Moved, now: Date): Promise<void> {
  await releaseBatchLimits(tx, { ids: singles.undone.map(({ id }) => id) });
  const paid = [...ofBatches.paid, ...singles.paid];
  const posted = await post(tx, now, [
    ...paid.map(paymentOf),
    ...singles.undone.map((one) => singlePaymentRefund(one, "reserved")),
    ...ofBatches.returned.map(returnOf),
    ...singles.returned.map((one) => singlePaymentRefund(one, "payouts")),
  ]);
  if (!posted) throw new Error("a batch's reservation does not cover what the network paid");
  await returnTokens(tx, paid.filter(({ payment_method }) => payment_method === "PIX").length);
}

const paymentOf = (transfer: MovedTransfer): Movement => ({
  type: "PAYMENT",
  cause: `paid:${transfer.end_to_end_id}`,
  from: "reserved",
  to: "payouts",
  amount: transfer.value,
  description: "Pagamento",
  complement: { batch_id: transfer.batch_id, transfer_id: transfer.id },
});

const returnOf = (transfer: MovedTransfer): Movement => ({
  type: "REFUND",
  cause: `returned:${transfer.end_to_end_id}`,
  from: "payouts",
  to: "available",
  amount: transfer.value,
  description: `Devolução: ${transfer.reason ?? "devolvido pelo banco do recebedor"}`,
  complement: {
    batch_id: transfer.batch_id,
    transfer_id: transfer.id,
    isTed: transfer.payment_method === "TED",
    ...payeeOf(transfer.name),
  },
});

const refundDescriptions: Readonly<Record<SystemBatchType, Record<"reserved" | "payouts", string>>> = {
  WITHDRAWAL: { reserved: "Resgate não realizado", payouts: "Devolução do resgate" },
  MICRO_DEPOSIT: { reserved: "Microdepósito não realizado", payouts: "Devolução do microdepósito" },
};

/**
 * Returns a single payment's money to the balance, whether it was reserved and never sent or sent and returned. No
 * batch reopens.
 */
const singlePaymentRefund = (transfer: SinglePayment, from: "reserved" | "payouts"): Movement => ({
  type: "REFUND",
  cause: `returned:${transfer.end_to_end_id}`,
  from,
  to: "available",
  amount: transfer.value,
  description: `${refundDescriptions[transfer.type][from]}: ${transfer.reason ?? "devolvido pelo banco de destino"}`,
  complement: { transfer_id: transfer.id, isTed: transfer.payment_method === "TED" },
});
