/**
 * The one inbox for what networks report, by whichever feed: each event once by its network's id, kept in the transaction that
 * applies it. What names an order by a number of the network's own is given its company and our key here.
 */
import { sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";
import type { Parts } from "../platform/parts.ts";
import { isReferredEvent, type Origin, type RailEvent, type ReferredEvent } from "../ports/rails.ts";

/** Keeps the events not heard before, and returns those. */
export async function remember<Event extends RailEvent>(
  tx: Tx,
  origin: Origin,
  events: readonly Event[],
  now: Date,
): Promise<Event[]> {
  const { rows } = await sql<{ event_id: string }>`
    INSERT INTO rail_events (company_id, connection, feed, event_id, kind, end_to_end_id, payload, received_at)
    SELECT ${tx.companyId}::uuid, ${origin.connection}, ${origin.feed}, e ->> 'id', e ->> 'kind', e ->> 'endToEndId', e, ${now}::timestamptz
    FROM jsonb_array_elements(${JSON.stringify(events)}::jsonb) AS e
    ORDER BY e ->> 'id' -- Two deliveries of the same events wait for each other in one line, not in a circle.
    ON CONFLICT (company_id, connection, event_id) DO NOTHING
    RETURNING event_id
  `.execute(tx);
  const fresh = new Set(rows.map((row) => row.event_id));
  // A block may hold the same event twice.
  return events.filter((event) => fresh.delete(event.id));
}

export interface Unresolved {
  event: ReferredEvent;
  why: string;
}

interface Found {
  n: number;
  company_id: string | null;
  key: string | null;
  orders: number;
}

/** An event may come before the answer that says whose number it names: that one is tried again. */
export async function resolve(
  { db }: Pick<Parts, "db">,
  origin: Origin,
  received: readonly unknown[],
): Promise<{ events: unknown[]; unresolved: Unresolved[] }> {
  const referred = received.filter(isReferredEvent);
  if (referred.length === 0) return { events: [...received], unresolved: [] };
  const names = referred.map(({ order }, n) => ({
    n,
    ...("key" in order ? { key: order.key } : { kind: order.reference.kind, value: order.reference.value }),
  }));
  const { rows } = await db.withSystem((tx) =>
    sql<Found>`
      SELECT r.n, min(o.company_id::text) AS company_id, min(o.key) AS key, (count(DISTINCT (o.company_id, o.key)) FILTER (WHERE o.key IS NOT NULL))::int AS orders
      FROM jsonb_to_recordset(${JSON.stringify(names)}::jsonb) AS r (n int, key text, kind text, value text)
      LEFT JOIN LATERAL (
        SELECT company_id, key FROM payment_attempts WHERE key = r.key AND connection = ${origin.connection}
        UNION ALL
        SELECT company_id, key FROM provider_references
        WHERE connection = ${origin.connection} AND kind = r.kind AND value = r.value
      ) o ON true
      GROUP BY r.n
    `.execute(tx),
  );
  const found = new Map(rows.map((row) => [row.n, row]));
  const resolved: unknown[] = [];
  const unresolved: Unresolved[] = [];
  for (const [n, event] of referred.entries()) {
    const one = found.get(n);
    if (one?.orders === 1)
      resolved.push({ ...event, order: undefined, companyId: one.company_id, endToEndId: one.key });
    else
      unresolved.push({
        event,
        why: one?.orders ? "several orders have this reference" : "no order has this reference",
      });
  }
  return { events: [...received.filter((one) => !isReferredEvent(one)), ...resolved], unresolved };
}
