/**
 * Outcomes that the operator learned by asking the network about a payment: the network reported another value, lost
 * the payment, or never reports it. Each becomes an event, stored and applied like the network's own.
 */
import { transferTransitions } from "@malote/domain/transfer-status";
import { sql } from "kysely";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { movesTo } from "../platform/db/moves-to.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { PaymentEvent } from "../ports/rails.ts";

export type OperatorOutcome = "paid" | "failed";

export interface PaymentWithoutOutcome {
  company_id: string;
  id: string;
  value: number | null;
  connection: string | null;
}

/** Reason that the company reads (TRF-003). */
const failedReason = "A rede confirmou que o pagamento não foi realizado.";

/**
 * Returns a payment that was handed over and has no outcome. A payment not yet handed over may still leave, so the
 * network's answer about it would not be final.
 */
export async function findPaymentWithoutOutcome(
  tx: AnyTx,
  endToEndId: string,
): Promise<PaymentWithoutOutcome | undefined> {
  const { rows } = await sql<PaymentWithoutOutcome>`
    SELECT company_id, id, value, connection FROM transfers
    WHERE end_to_end_id = ${endToEndId} AND sent_at IS NOT NULL
      AND status IN ${movesTo(transferTransitions, "TRANSFERRED")}
  `.execute(tx);
  return rows[0];
}

/**
 * Stores the operator's outcome as an event, which the worker applies within ten seconds. Returns false while an
 * earlier operator outcome is pending: an opposite one would contradict it. If the network reports the payment
 * meanwhile, the second report is compared with the first as usual.
 */
export async function keepOperatorOutcome(
  tx: Tx,
  { id, value, connection }: PaymentWithoutOutcome,
  {
    endToEndId,
    outcome,
    main,
    now,
  }: { endToEndId: string; outcome: OperatorOutcome; main: string; now: Date },
): Promise<boolean> {
  if (value === null) throw new Error(`${endToEndId} was handed over without a value`);
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
  await sql`SELECT FROM transfers WHERE company_id = ${tx.companyId} AND id = ${id} FOR UPDATE`.execute(tx);
  const { rows } = await sql<{ event_id: string }>`
    INSERT INTO rail_dead_letters (company_id, connection, feed, event_id, why, detail, payload, since, try_at)
    SELECT ${tx.companyId}::uuid, ${connection ?? main}::text, 'operator', ${event.id}::text, 'failed', 'to be applied',
      ${JSON.stringify(event)}::text, ${now}::timestamptz, ${now}::timestamptz
    WHERE NOT EXISTS (SELECT FROM rail_dead_letters d WHERE d.company_id = ${tx.companyId} AND d.feed = 'operator'
      AND d.closed_at IS NULL AND d.payload::jsonb ->> 'endToEndId' = ${endToEndId})
    RETURNING event_id
  `.execute(tx);
  return rows.length === 1;
}
