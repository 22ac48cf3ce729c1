/**
 * Relay: moves committed events from the outbox into the log and gives each its position. One relay at a time assigns
 * positions, after the writers' commits, so a reader that is past a position never misses an earlier one.
 */
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import { declareSystemLock } from "../db/locks.ts";

const relayLock = declareSystemLock(7_265_005);

const movedAtOnce = 5_000;

/** Moves events and returns their number; 0 while another relay is running. */
export async function relayEvents({ withSystem }: Pick<Database, "withSystem">): Promise<number> {
  return withSystem(async (tx) => {
    const waiting = await sql`SELECT FROM outbox LIMIT 1`.execute(tx);
    if (waiting.rows.length === 0) return 0;
    // The lock ends with the transaction, so that another relay can follow one that dies.
    const lock = await sql<{ locked: boolean }>`
      SELECT pg_try_advisory_xact_lock(${relayLock}) AS locked
    `.execute(tx);
    if (!lock.rows[0]?.locked) return 0;
    const { rows } = await sql<{ moved: number }>`
      WITH moved AS (
        DELETE FROM outbox WHERE (company_id, n) IN (SELECT company_id, n FROM outbox ORDER BY n LIMIT ${movedAtOnce})
        RETURNING *
      ), numbered AS MATERIALIZED (
        SELECT m.*, r.position + row_number() OVER (ORDER BY m.n) AS position FROM moved m CROSS JOIN event_relay r
      ), logged AS (
        INSERT INTO event_log (company_id, position, id, type, version, object_kind, object_id, payload, cause, at)
        SELECT company_id, position, id, type, version, object_kind, object_id, payload, cause, at FROM numbered
      ), heads AS (
        INSERT INTO event_heads AS h (company_id, type, position)
        SELECT company_id, type, max(position) FROM numbered GROUP BY company_id, type
        ON CONFLICT (company_id, type) DO UPDATE SET position = excluded.position
      )
      UPDATE event_relay SET position = position + (SELECT count(*) FROM moved)
      RETURNING (SELECT count(*)::int FROM moved) AS moved
    `.execute(tx);
    return rows[0]?.moved ?? 0;
  });
}
