/**
 * Outcomes that the operator learned by asking the network about a payment: the network reported another value, lost
 * the payment, or never reports it. Each becomes an event, stored and applied like the network's own.
 */
import { lockPayment, type PaymentWithoutOutcome } from "../payouts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { PaymentEvent } from "../ports/rails.ts";
import { insertOperatorEvent } from "./dead-letter-store.ts";

export type OperatorOutcome = "paid" | "failed";

/** Reason that the company reads (TRF-003). */
const failedReason = "A rede confirmou que o pagamento não foi realizado.";

/**
 * Stores the operator's outcome as an event, which the worker applies within ten seconds. Returns false while an
 * earlier operator outcome is pending: an opposite one would contradict it. If the network reports the payment
 * meanwhile, the second report is compared with the first as usual.
 */
export async function recordOperatorOutcome(
  tx: Tx,
  { id, value, connection }: PaymentWithoutOutcome,
  {
    endToEndId,
    outcome,
    main,
    now,
  }: { endToEndId: string; outcome: OperatorOutcome; main: string; now: Date },
): Promise<boolean> {
  if (value === null) throw new Error(`payment ${endToEndId} was sent without a value`);
  const about = {
    id: `operator:${uuidv7(now.getTime())}`,
    endToEndId,
    companyId: tx.companyId,
    at: now.toISOString(),
    value,
  };
  const event: PaymentEvent =
    outcome === "paid"
      ? { ...about, kind: "settled", final: true }
      : { ...about, kind: "failed", reason: failedReason };
  await lockPayment(tx, id);
  return insertOperatorEvent(
    tx,
    { id: event.id, payload: JSON.stringify(event), endToEndId },
    connection ?? main,
    now,
  );
}
