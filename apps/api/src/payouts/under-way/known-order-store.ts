/** Payments as the network names them: by the keys of their present and earlier attempts, and by its own numbers. */
import { paymentTransitions } from "@malote/domain/payment-status";
import { type RawBuilder, sql } from "kysely";
import type { AnyTx, Tx } from "../../platform/db/database.ts";
import { movesTo } from "../../platform/db/moves-to.ts";
import type { KnownOrder, Reference } from "../../ports/rails.ts";

/** Returns each key with the numbers that the network gave its order. */
export async function listKnownOrders(tx: Tx, keys: readonly string[]): Promise<KnownOrder[]> {
  const { rows } = await sql<Reference & { key: string }>`
    SELECT key, kind, value FROM provider_references
    WHERE company_id = ${tx.companyId} AND key = ANY(${keys}::text[])
    ORDER BY first_seen, kind, value
  `.execute(tx);
  const references = Map.groupBy(rows, ({ key }) => key);
  return keys.map((endToEndId) => ({
    endToEndId,
    references: (references.get(endToEndId) ?? []).map(({ kind, value }) => ({ kind, value })),
  }));
}

/** Stores the network's references beside ours, each once, in the order of their arrival. */
export async function insertReferences(
  tx: Tx,
  references: readonly (Reference & { key: string })[],
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO provider_references (company_id, key, connection, kind, value, first_seen)
    SELECT p.company_id, p.key, p.connection, r.kind, r.value, ${now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(references)}::jsonb) AS r (key text, kind text, value text)
    JOIN payment_attempts p ON p.key = r.key AND p.company_id = ${tx.companyId}
    WHERE r.kind <> '' AND r.value <> ''
    ON CONFLICT DO NOTHING
  `.execute(tx);
}

/** Name of an order in an event: our key, or a number that the network gave. `n` is its place in the list. */
export type OrderName = { n: number } & ({ key: string } | Reference);

export interface NamedOrder {
  n: number;
  company_id: string | null;
  key: string | null;
  /** Number of orders that the name fits. */
  orders: number;
}

/** Returns the orders of a connection, among all companies, that these names fit. */
export async function findOrders(
  tx: AnyTx,
  connection: string,
  names: readonly OrderName[],
): Promise<NamedOrder[]> {
  const { rows } = await sql<NamedOrder>`
    SELECT r.n, min(o.company_id::text) AS company_id, min(o.key) AS key, (count(DISTINCT (o.company_id, o.key)) FILTER (WHERE o.key IS NOT NULL))::int AS orders
    FROM jsonb_to_recordset(${JSON.stringify(names)}::jsonb) AS r (n int, key text, kind text, value text)
    LEFT JOIN LATERAL (
      SELECT company_id, key FROM payment_attempts WHERE key = r.key AND connection = ${connection}
      UNION ALL
      SELECT company_id, key FROM provider_references
      WHERE connection = ${connection} AND kind = r.kind AND value = r.value
    ) o ON true
    GROUP BY r.n
  `.execute(tx);
  return rows;
}

/**
 * Relation `known` of a WITH that begins with the reports `e`: the payments with their keys, and the earlier attempts
 * under the other keys, each with its number.
 */
export const sqlKnownPayments = (tx: Tx, keys: readonly string[]): RawBuilder<unknown> => sql`
  of_present AS MATERIALIZED (
    SELECT t.id, t.end_to_end_id, t.status, t.value, t.connection, NULL::int AS number FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.end_to_end_id = ANY(${keys}::text[])
  ), known AS (
    SELECT * FROM of_present
    UNION ALL
    SELECT t.id, a.key, t.status, t.value, a.connection, a.number FROM payment_attempts a
    JOIN transfers t ON t.company_id = a.company_id AND t.id = a.transfer_id
    -- Nearly always empty: looks up only the keys that no payment has now.
    WHERE a.company_id = ${tx.companyId} AND a.key = ANY(ARRAY(
      SELECT "endToEndId" FROM e EXCEPT SELECT end_to_end_id FROM of_present))
  )`;

export interface PaymentWithoutOutcome {
  company_id: string;
  id: string;
  value: number | null;
  connection: string | null;
}

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
      AND status IN ${movesTo(paymentTransitions, "TRANSFERRED")}
  `.execute(tx);
  return rows[0];
}

/** Locks a payment to the end of the transaction. */
export async function lockPayment(tx: Tx, id: string): Promise<void> {
  await sql`SELECT FROM transfers WHERE company_id = ${tx.companyId} AND id = ${id} FOR UPDATE`.execute(tx);
}
