/**
 * The networks' own order numbers, for questions about an order: payments under way, and receipts of those that
 * arrived.
 */
import { sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";
import type { KnownOrder, Reference } from "../ports/rails.ts";

/** Returns each key with the numbers that the network gave its order. */
export async function knownOrders(tx: Tx, keys: readonly string[]): Promise<KnownOrder[]> {
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
