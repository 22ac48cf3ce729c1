/**
 * What the operator learned by asking the network about a payment without an outcome: the network reported
 * another value, lost the payment, or never reports it. It becomes an event, kept and applied like each of the
 * network's own.
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

/** The reason as the company reads it (TRF-003). */
const failedReason = "A rede confirmou que o pagamento não foi realizado.";

/**
 * Handed over, without an outcome. One that is not handed over yet may still leave, so what the network says of it is
 * not its last word.
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
 * False where an earlier word of the operator waits to be applied: the opposite of it would be a contradiction of
 * their own. Applied by the worker within ten seconds. Where the network reports the payment meanwhile, the second report is
 * compared with the first one, as any is.
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
