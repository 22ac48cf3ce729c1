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
 * Applied by the worker within ten seconds. Where the network reports the payment meanwhile, the second report is
 * compared with the first one, as any is.
 */
export async function keepOperatorOutcome(
  tx: Tx,
  { value, connection }: PaymentWithoutOutcome,
  {
    endToEndId,
    outcome,
    main,
    now,
  }: { endToEndId: string; outcome: OperatorOutcome; main: string; now: Date },
): Promise<void> {
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
  await sql`
    INSERT INTO rail_dead_letters (company_id, connection, feed, event_id, why, detail, payload, since, try_at)
    VALUES (${tx.companyId}, ${connection ?? main}, 'operator', ${event.id}, 'failed', 'to be applied', ${JSON.stringify(event)},
      ${now}, ${now})
  `.execute(tx);
}
