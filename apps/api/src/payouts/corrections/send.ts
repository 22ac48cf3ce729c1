/** Checks of every correction, of one payment or several, and the resending. */
import { readCompany } from "../../company/index.ts";
import { passControls } from "../../controls/index.ts";
import { countMoved } from "../../indicators/index.ts";
import { moveLimits } from "../../limits/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { requireResendConfirmed } from "../batches/checks.ts";
import { settleBatch } from "../batches/life-store.ts";
import { listUsesOfPayments, saveLimitWindow } from "../batches/limit-store.ts";
import type { BatchRow } from "../batches/store.ts";
import { invalidateFindings } from "../checks/findings-store.ts";
import type { ResendContext } from "../draft-payment-store.ts";
import type { Prepared } from "./kind.ts";

/**
 * Requires the confirmations of these payments, then passes the controls: the correction may proceed, or it becomes an
 * approval request that includes the confirmations.
 */
export async function passCorrection(
  tx: Tx,
  call: CorrectingCall,
  batch: BatchRow,
  ready: readonly [Prepared, ...Prepared[]],
  requested: {
    approversMin: number;
    confirmations: Parameters<typeof requireResendConfirmed>[4];
    payload: object;
    facts: readonly { label: string; value: string }[];
  },
) {
  const resends = ready.map((one) => one.resend);
  const ticked = await requireResendConfirmed(tx, call, batch, resends, requested.confirmations);
  const payments = ready.map(({ payment }) => payment);
  return passControls(tx, call, {
    kind: "CORRECTION",
    // A payment has one open request; a request for several payments has the id of the first.
    objectId: ready[0].payment.id,
    amount: payments.reduce((total, { value }) => total + value, 0),
    approversMin: requested.approversMin,
    correction: { batchId: batch.id, payments },
    payload: { ...requested.payload, again: resends },
    facts: [...requested.facts, ...ticked],
  });
}

export type CorrectingCall = Pick<Call<never>, "actor" | "now" | "requestId" | "givenCode">;

/**
 * Resends a failed payment, whose money is still reserved. A refusal (`AppError`) leaves no writes, so the other
 * payments may proceed; an error after the first write is no refusal and ends the transaction.
 */
export async function resendPayments(
  tx: Tx,
  { jobs }: Pick<Services, "jobs">,
  one: Prepared,
  acting: ResendContext,
): Promise<void> {
  const { now } = acting;
  // This check runs again: another payment of the same call with the same code may have been sent a moment ago.
  await one.requireCodeFree(tx);
  const leaving = { method: one.method, value: one.payment.value, at: one.executeAt, now };
  const { id } = one.payment;
  const { settings } = await readCompany(tx);
  await saveLimitWindow(
    tx,
    id,
    await moveLimits(tx, await listUsesOfPayments(tx, { ids: [id] }), leaving, settings),
  );
  const sent = await one.write(tx, acting);
  // The payment was failed when it was prepared under the batch's lock.
  if (!sent) throw new Error(`payment ${one.payment.id} was resent although it is not failed`);
  await settleBatch(tx, one.batchId, { failed: -1 }, now);
  await invalidateFindings(tx, now);
  await countMoved(tx, [sent]);
  await jobs.enqueue(tx, "send-payments", { companyId: tx.companyId });
}
