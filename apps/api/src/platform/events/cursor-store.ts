/** Position of each subscriber in the events of each company, and the events behind it. */
import { sql } from "kysely";
import type { Tx } from "../db/database.ts";
import type { Services } from "../services.ts";
import type { LogRow, Subscriber } from "./subscriber.ts";

/** Returns the subscribers with events or retries that are due, of any company, in one query. */
export async function listSubscribersWithWork(
  { db, clock }: Pick<Services, "db" | "clock">,
  subscribers: readonly Subscriber[],
): Promise<ReadonlySet<string>> {
  const wanted = subscribers.flatMap(({ name, on }) => on.map((type) => ({ name, type })));
  const { rows } = await db.withSystem((tx) =>
    sql<{ name: string }>`
      SELECT s.name FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS w (name text, type text)
      JOIN event_subscribers s ON s.name = w.name
      JOIN event_heads h ON h.type = w.type
      LEFT JOIN event_cursors c ON c.company_id = h.company_id AND c.subscriber = s.name
      WHERE h.position > coalesce(c.position, s.since)
      UNION SELECT subscriber FROM event_dead_letters WHERE dead_at IS NULL AND try_at <= ${clock.now()}
    `.execute(tx),
  );
  return new Set(rows.map(({ name }) => name));
}

/** Returns the companies with events that the subscriber has not passed, and where it began. */
export async function listCompaniesBehind(
  { db }: Services,
  { name, on }: Subscriber,
): Promise<{ company_id: string; since: number }[]> {
  const { rows } = await db.withSystem((tx) =>
    sql<{ company_id: string; since: number }>`
      SELECT DISTINCT h.company_id, s.since FROM event_subscribers s
      JOIN event_heads h ON h.type = ANY(${[...on]}::text[])
      LEFT JOIN event_cursors c ON c.company_id = h.company_id AND c.subscriber = s.name
      WHERE s.name = ${name} AND h.position > coalesce(c.position, s.since)
      ORDER BY h.company_id
    `.execute(tx),
  );
  return rows;
}

/** Locks the cursor to the end of the transaction; undefined while another worker handles this company's events. */
export async function lockCursor(tx: Tx, subscriber: string, since?: number): Promise<number | undefined> {
  if (since !== undefined)
    await sql`
      INSERT INTO event_cursors (company_id, subscriber, position) VALUES (${tx.companyId}, ${subscriber}, ${since})
      ON CONFLICT (company_id, subscriber) DO NOTHING
    `.execute(tx);
  const { rows } = await sql<{ position: number }>`
    SELECT position FROM event_cursors WHERE company_id = ${tx.companyId} AND subscriber = ${subscriber}
    FOR UPDATE SKIP LOCKED
  `.execute(tx);
  return rows[0]?.position;
}

export async function moveCursor(tx: Tx, subscriber: string, position: number): Promise<void> {
  await sql`
    UPDATE event_cursors SET position = ${position}
    WHERE company_id = ${tx.companyId} AND subscriber = ${subscriber} AND position < ${position}
  `.execute(tx);
}

export async function listNextRows(
  tx: Tx,
  { on }: Subscriber,
  after: number,
  atOnce: number,
): Promise<LogRow[]> {
  const { rows } = await sql<LogRow>`
    SELECT position, id, type, version, object_kind, object_id, payload, at FROM event_log
    WHERE company_id = ${tx.companyId} AND position > ${after} AND type = ANY(${[...on]}::text[])
    ORDER BY position LIMIT ${atOnce}
  `.execute(tx);
  return rows;
}
