/** The inbox for reports of every feed: stores each event once by its network's id, in the transaction that applies it. */
import { sql } from "kysely";
import { sqlCompaniesThatReceived } from "../payins/index.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import type { Origin, PixReceived, RailEvent } from "../ports/rails.ts";

export interface Changed<Event> {
  event: Event;
  detail: string;
}

/** Stores the events that are new and returns them; returns separately those reported earlier with other content. */
export async function insertNewEvents<Event extends RailEvent>(
  tx: Tx,
  origin: Origin,
  events: readonly Event[],
  now: Date,
): Promise<{ fresh: Event[]; changed: Changed<Event>[] }> {
  const { rows } = await sql<{ event_id: string }>`
    INSERT INTO rail_events (company_id, connection, feed, event_id, kind, end_to_end_id, payload, received_at)
    SELECT ${tx.companyId}::uuid, ${origin.connection}, ${origin.feed}, e ->> 'id', e ->> 'kind', e ->> 'endToEndId', e, ${now}::timestamptz
    FROM jsonb_array_elements(${JSON.stringify(events)}::jsonb) AS e
    ORDER BY e ->> 'id' -- Ordered inserts: concurrent deliveries of the same events cannot deadlock.
    ON CONFLICT (company_id, connection, event_id) DO NOTHING
    RETURNING event_id
  `.execute(tx);
  const unseen = new Set(rows.map((row) => row.event_id));
  // A block may contain the same event twice.
  const fresh = events.filter((event) => unseen.delete(event.id));
  if (fresh.length === events.length) return { fresh, changed: [] };
  const isFresh = new Set(fresh);
  const repeated = events.filter((event) => !isFresh.has(event));
  return { fresh, changed: await listChangedSince(tx, origin, repeated) };
}

/**
 * Returns the company, among all, that has this Pix already, by its event or by its end-to-end id. A Pix names a key
 * but no company, and the key may have moved to another company meanwhile.
 */
export async function findCompanyThatHas(
  tx: AnyTx,
  { connection }: Origin,
  { id, endToEndId }: PixReceived,
): Promise<string | undefined> {
  const { rows } = await sql<{ company_id: string }>`
    WITH received AS (${sqlCompaniesThatReceived(endToEndId)}),
    reported AS (SELECT company_id FROM rail_events
      WHERE connection = ${connection} AND event_id = ${id} AND kind = 'pix_received')
    SELECT known.company_id FROM (
      SELECT company_id, 1 AS turn FROM reported UNION ALL SELECT company_id, 2 FROM received) known
    -- Older installations may have one payment at two companies: the first one holds it.
    ORDER BY turn, (known.company_id IN (SELECT company_id FROM received)) DESC, known.company_id LIMIT 1
  `.execute(tx);
  return rows[0]?.company_id;
}

/**
 * Fields of an event that concern money: which payment, how much, and its outcome. A network may word the other fields
 * differently or omit them.
 */
const facts = ["kind", "endToEndId", "chargeId", "paymentId", "refundId", "pixKey", "value"] as const;
type Kept = Partial<Record<(typeof facts)[number], string | number | undefined>>;

async function listChangedSince<Event extends RailEvent>(
  tx: Tx,
  { connection }: Origin,
  repeated: readonly Event[],
): Promise<Changed<Event>[]> {
  const ids = repeated.map((event) => event.id);
  const { rows } = await sql<{ event_id: string; payload: Kept }>`
    SELECT event_id, payload FROM rail_events
    WHERE company_id = ${tx.companyId} AND connection = ${connection} AND event_id = ANY(${ids}::text[])
  `.execute(tx);
  const kept = new Map(rows.map(({ event_id, payload }) => [event_id, payload]));
  return repeated.flatMap((event) => {
    const before = kept.get(event.id) ?? {};
    const now: Kept = event;
    const differing = facts.filter(
      (fact) => now[fact] !== undefined && before[fact] !== undefined && now[fact] !== before[fact],
    );
    if (differing.length === 0) return [];
    // A Pix key may be a person's tax id, which logs never contain.
    const said = (one: Kept, which: string) =>
      differing.map((fact) => `${fact} ${fact === "pixKey" ? which : one[fact]}`).join(", ");
    return [{ event, detail: `reported as ${said(now, "B")}, but before as ${said(before, "A")}` }];
  });
}
