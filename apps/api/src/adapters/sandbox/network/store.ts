/** Tables of the network: accepted orders and events to deliver. */
import { sql } from "kysely";
import type { AnyTx } from "../../../platform/db/database.ts";
import { declareSystemLock, lockSystem } from "../../../platform/db/locks.ts";
import { nextRetryAt } from "../../../platform/db/next-retry.ts";
import type { OrderReport, PaymentEvent, PaymentOrder, RailEvent } from "../../../ports/rails.ts";
import type { Outcome } from "./outcome.ts";

export interface DecidedOrder {
  order: PaymentOrder;
  outcome: Outcome;
  /** Event for a receiving company of this installation; stored with the order, and so at most once. */
  arrival?: RailEvent | undefined;
}

/**
 * Stores the new orders with their events in one statement and returns true when there were any. A known id keeps its
 * first outcome, also under concurrent calls: the second call waits for the first and adds nothing.
 */
export async function insertOrders(
  tx: AnyTx,
  decided: readonly DecidedOrder[],
  acceptedAt: Date,
): Promise<boolean> {
  // Sorted, so that two calls with the same ids cannot deadlock.
  const sorted = [...decided].sort((a, b) => (a.order.endToEndId < b.order.endToEndId ? -1 : 1));
  const orders = sorted.map(({ order, outcome }) => ({
    end_to_end_id: order.endToEndId,
    company_id: order.companyId,
    method: order.method,
    value: order.value,
    order_data: order,
    outcome: outcome.kind,
    outcome_text: outcome.reason,
  }));
  const events = sorted.flatMap(({ order, outcome, arrival }) => [
    ...outcome.events.map(({ event, dueAt }) => eventRow(order.companyId, event, dueAt)),
    ...(arrival
      ? [
          {
            ...eventRow(order.endToEndId, arrival, new Date(arrival.at)),
            end_to_end_id: order.endToEndId,
          },
        ]
      : []),
  ]);
  const { rows } = await sql<{ fresh: number }>`
    WITH fresh AS (
      INSERT INTO sandbox.orders
        (end_to_end_id, company_id, method, value, order_data, accepted_at, outcome, outcome_text)
      SELECT end_to_end_id, company_id, method, value, order_data, ${acceptedAt}::timestamptz, outcome, outcome_text
      FROM jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) AS sent (
        end_to_end_id text, company_id uuid, method text, value bigint, order_data jsonb, outcome text, outcome_text text
      )
      ON CONFLICT (end_to_end_id) DO NOTHING
      RETURNING end_to_end_id
    ), announced AS (
      INSERT INTO sandbox.events (id, party, end_to_end_id, payload, due_at)
      SELECT id, party, end_to_end_id, payload, due_at
      FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb) AS announced (
        id text, party text, end_to_end_id text, payload jsonb, due_at timestamptz
      )
      JOIN fresh USING (end_to_end_id)
    )
    SELECT count(*)::int AS fresh FROM fresh
  `.execute(tx);
  return (rows[0]?.fresh ?? 0) > 0;
}

/** Stores an event that none of our orders caused. A repeated id is the same event. */
export async function insertEvent(tx: AnyTx, party: string, event: RailEvent, dueAt: Date): Promise<void> {
  const row = eventRow(party, event, dueAt);
  await sql`
    INSERT INTO sandbox.events (id, party, end_to_end_id, payload, due_at)
    VALUES (${row.id}, ${row.party}, ${row.end_to_end_id}, ${JSON.stringify(event)}::jsonb, ${dueAt})
    ON CONFLICT (id) DO NOTHING
  `.execute(tx);
}

const eventRow = (party: string, event: RailEvent, dueAt: Date) => ({
  id: event.id,
  party,
  end_to_end_id: "endToEndId" in event ? event.endToEndId : event.id,
  payload: event,
  due_at: dueAt.toISOString(),
});

/** Returns the known orders, each with its last event that is due, whether delivered or not. */
export async function findOrders(
  tx: AnyTx,
  endToEndIds: readonly string[],
  now: Date,
): Promise<Map<string, OrderReport>> {
  const { rows } = await sql<{ end_to_end_id: string; report: PaymentEvent | null }>`
    SELECT o.end_to_end_id, (
      SELECT e.payload FROM sandbox.events e
      WHERE e.id = ANY(ARRAY(SELECT o.end_to_end_id || ':' || kind
          FROM unnest(ARRAY['settled', 'failed', 'finished', 'returned']) kind))
        AND (e.payload ->> 'at')::timestamptz <= ${now}
      ORDER BY (e.payload ->> 'at')::timestamptz DESC LIMIT 1
    ) AS report
    FROM sandbox.orders o WHERE o.end_to_end_id = ANY(${endToEndIds}::text[])
  `.execute(tx);
  return new Map(rows.map((row) => [row.end_to_end_id, row.report ?? "under_way"]));
}

/** Returns an order whose money has reached the receiver, with the time of arrival. */
export async function findArrived(
  tx: AnyTx,
  endToEndId: string,
  now: Date,
): Promise<{ order: PaymentOrder; at: string } | undefined> {
  const { rows } = await sql<{ order: PaymentOrder; at: string }>`
    SELECT o.order_data AS order, e.payload ->> 'at' AS at
    FROM sandbox.orders o JOIN sandbox.events e ON e.id = o.end_to_end_id || ':settled'
    WHERE o.end_to_end_id = ${endToEndId} AND (e.payload ->> 'at')::timestamptz <= ${now}
  `.execute(tx);
  return rows[0];
}

/** Counts a call that began with this order and returns the number of such calls. */
export async function countCall(tx: AnyTx, endToEndId: string): Promise<number> {
  const { rows } = await sql<{ times: number }>`
    INSERT INTO sandbox.calls AS c (end_to_end_id) VALUES (${endToEndId})
    ON CONFLICT (end_to_end_id) DO UPDATE SET times = c.times + 1
    RETURNING times
  `.execute(tx);
  return rows[0]?.times ?? 1;
}

export interface DueEvent {
  id: string;
  party: string;
  payload: RailEvent;
}

export async function listDueEvents(tx: AnyTx, now: Date, max: number): Promise<DueEvent[]> {
  const { rows } = await sql<DueEvent>`
    SELECT id, party, payload FROM sandbox.events
    WHERE delivered_at IS NULL AND due_at <= ${now}
    ORDER BY due_at, id LIMIT ${max}
  `.execute(tx);
  return rows;
}

export async function markDelivered(tx: AnyTx, ids: readonly string[], now: Date): Promise<void> {
  await sql`
    UPDATE sandbox.events SET delivered_at = ${now} WHERE id = ANY(${ids}::text[]) AND delivered_at IS NULL
  `.execute(tx);
}

/** Postpones the next delivery by 1 s, then 2, 4 … up to a minute, so that rejected events do not delay new ones. */
export async function postponeDelivery(tx: AnyTx, ids: readonly string[], now: Date): Promise<void> {
  await sql`
    UPDATE sandbox.events
    SET tries = tries + 1, due_at = ${nextRetryAt(now, sql`tries`, { firstSeconds: 1, longestSeconds: 60 })}
    WHERE id = ANY(${ids}::text[])
  `.execute(tx);
}

export const networkDeliveryLock = declareSystemLock(7_265_002);

/** Locks delivery to the end of the transaction: one process at a time delivers. */
export const lockDelivery = (tx: AnyTx): Promise<void> => lockSystem(tx, networkDeliveryLock);

export async function readNextDueAt(tx: AnyTx): Promise<Date | undefined> {
  const { rows } = await sql<{ due_at: Date | null }>`
    SELECT min(due_at) AS due_at FROM sandbox.events WHERE delivered_at IS NULL
  `.execute(tx);
  return rows[0]?.due_at ?? undefined;
}

/** Returns the number of undelivered events: outgoing payments and incoming Pix. */
export async function countUndelivered(tx: AnyTx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM sandbox.events WHERE delivered_at IS NULL
  `.execute(tx);
  return rows[0]?.count ?? 0;
}
