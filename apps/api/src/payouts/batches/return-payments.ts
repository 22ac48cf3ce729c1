/** Return of reserved money to the balance, for payments that will not be made. */
import { post } from "../../ledger/index.ts";
import type { Actor } from "../../platform/auth/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import { emissionOf, emitEach, eventActorOf } from "../../platform/events/emit.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { settleBatch } from "./life-store.ts";
import { releaseBatchLimits } from "./limits.ts";

export interface ReturnedPayment {
  id: string;
  value: number;
  status_description: string | null;
  /** Name of the intended payee. */
  name: string | null;
}

/** Returns the counterparty of a statement entry, reduced to the name; the payment holds the account. */
export const payeeOf = (name: string | null) =>
  name === null
    ? {}
    : {
        receiver: {
          name,
          bank: null,
          agency: null,
          account: null,
          account_digit: null,
          account_type: null,
          document: null,
        },
      };

/**
 * Posts the reserved money of payments back to the balance and returns the total. The caller holds the batch's lock and
 * has set the payments to RETURNED in the same transaction. `had` is their previous status.
 */
export async function returnPayments(
  tx: Tx,
  jobs: Jobs,
  batchId: string,
  payments: readonly ReturnedPayment[],
  { had, call }: { had: "failed" | "scheduled"; call: { actor: Actor; now: Date; requestId: string } },
): Promise<number> {
  const { actor, now } = call;
  await releaseBatchLimits(tx, { ids: payments.map(({ id }) => id) });
  const posted = await post(
    tx,
    now,
    payments.map((one) => ({
      type: "REFUND" as const,
      cause: `refund:${one.id}`,
      from: "reserved" as const,
      to: "available" as const,
      amount: one.value,
      description: `Devolução: ${one.status_description ?? "pagamento não realizado"}`,
      complement: { batch_id: batchId, transfer_id: one.id, ...payeeOf(one.name) },
    })),
  );
  if (!posted) throw new Error(`the reservation of batch ${batchId} does not cover the returned money`);
  const value = payments.reduce((sum, one) => sum + one.value, 0);
  await settleBatch(
    tx,
    batchId,
    {
      failed: had === "failed" ? -payments.length : 0,
      returned: payments.length,
      returnedValue: value,
      reserved: -value,
    },
    now,
  );
  await emitEach(
    tx,
    emissionOf(call),
    had === "failed" ? "payment.given_back" : "payment.cancelled",
    payments.map(({ id, value: amount }) => ({
      objectId: id,
      payload: { batchId, amount, by: eventActorOf(actor) },
    })),
  );
  // Any money that returns to the balance is offered to the batches that wait for it.
  await jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
  return value;
}
