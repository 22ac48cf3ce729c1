/** Money that was reserved for payments and will not be paid goes back to the balance. */
import { post } from "../../ledger/index.ts";
import { giveLimitsBack } from "../../limits/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { settleBatch } from "./store.ts";

export interface GivenBack {
  id: string;
  value: number;
  status_description: string | null;
  /** Whom it would have paid. */
  name: string | null;
}

/** The other side of an entry of which the statement says no more than the name: its account is on the payment. */
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

/** Expects the batch's row locked and the payments RETURNED by the same transaction. `failed`: how many of them had failed. */
export async function giveBack(
  tx: Tx,
  jobs: Jobs,
  batchId: string,
  payments: readonly GivenBack[],
  { failed, now }: { failed: number; now: Date },
): Promise<number> {
  await giveLimitsBack(tx, { ids: payments.map(({ id }) => id) });
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
  if (!posted) throw new Error(`the reservation of batch ${batchId} does not cover what is given back`);
  const value = payments.reduce((sum, one) => sum + one.value, 0);
  await settleBatch(
    tx,
    batchId,
    { failed: -failed, returned: payments.length, returnedValue: value, reserved: -value },
    now,
  );
  // Money on the balance, wherever it comes from, is offered to the batches that wait for it.
  await jobs.enqueue(tx, "pay-waiting-batches", { companyId: tx.companyId });
  return value;
}
