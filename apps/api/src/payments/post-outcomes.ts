/** Effects of moved payments on the balance, the limits and the lookup tokens of a company. */
import { type Movement, post } from "../ledger/index.ts";
import {
  type MovedPayment,
  payeeOf,
  releaseBatchLimits,
  returnTokens,
  type SystemBatchType,
} from "../payouts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Moved, SinglePayment } from "./outcomes.ts";

export async function postOutcomes(tx: Tx, { ofBatches, singles }: Moved, now: Date): Promise<void> {
  await releaseBatchLimits(tx, { ids: singles.undone.map(({ id }) => id) });
  const arrived = [...ofBatches.arrived, ...singles.arrived];
  const posted = await post(tx, now, [
    ...arrived.map(paymentOf),
    ...singles.undone.map((one) => returnOfSinglePayment(one, "reserved")),
    ...ofBatches.returned.map(returnOf),
    ...singles.returned.map((one) => returnOfSinglePayment(one, "payouts")),
  ]);
  if (!posted) throw new Error("a batch's reservation does not cover what the network paid");
  await returnTokens(tx, arrived.filter(({ payment_method }) => payment_method === "PIX").length);
}

const paymentOf = (payment: MovedPayment): Movement => ({
  type: "PAYMENT",
  cause: `paid:${payment.end_to_end_id}`,
  from: "reserved",
  to: "payouts",
  amount: payment.value,
  description: "Pagamento",
  complement: { batch_id: payment.batch_id, transfer_id: payment.id },
});

const returnOf = (payment: MovedPayment): Movement => ({
  type: "REFUND",
  cause: `returned:${payment.end_to_end_id}`,
  from: "payouts",
  to: "available",
  amount: payment.value,
  description: `Devolução: ${payment.reason ?? "devolvido pelo banco do recebedor"}`,
  complement: {
    batch_id: payment.batch_id,
    transfer_id: payment.id,
    isTed: payment.payment_method === "TED",
    ...payeeOf(payment.name),
  },
});

const returnDescriptions: Readonly<Record<SystemBatchType, Record<"reserved" | "payouts", string>>> = {
  WITHDRAWAL: { reserved: "Resgate não realizado", payouts: "Devolução do resgate" },
  MICRO_DEPOSIT: { reserved: "Microdepósito não realizado", payouts: "Devolução do microdepósito" },
};

/**
 * Returns a single payment's money to the balance, whether it was reserved and never sent or sent and returned. No
 * batch reopens.
 */
const returnOfSinglePayment = (payment: SinglePayment, from: "reserved" | "payouts"): Movement => ({
  type: "REFUND",
  cause: `returned:${payment.end_to_end_id}`,
  from,
  to: "available",
  amount: payment.value,
  description: `${returnDescriptions[payment.type][from]}: ${payment.reason ?? "devolvido pelo banco de destino"}`,
  complement: { transfer_id: payment.id, isTed: payment.payment_method === "TED" },
});
