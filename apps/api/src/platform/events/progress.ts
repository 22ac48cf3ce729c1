/** How far a subscriber is with some objects, for screens that show what it made of their events. */
import { sql } from "kysely";
import type { Tx } from "../db/database.ts";
import { onlyRow } from "../db/only-row.ts";
import type { Subscriber } from "./subscriber.ts";

export interface Progress {
  /** It knows nothing of what happened before; null where its beginning was not recorded. */
  since: Date | null;
  /** Of an object an event failed, and it waits behind that one for a retry or a person. */
  isStuck: boolean;
  /** An event was emitted that it has not come to yet. */
  isLate: boolean;
}

export async function readProgress(
  tx: Tx,
  { name, on }: Pick<Subscriber, "name" | "on">,
  objectIds: readonly string[],
): Promise<Progress> {
  const types = sql`${[...on]}::text[]`;
  const objects = sql`${[...objectIds]}::uuid[]`;
  return onlyRow(
    await sql<Progress>`
      SELECT s.since_at AS since,
        EXISTS (
          SELECT FROM event_dead_letters d
          WHERE d.company_id = ${tx.companyId} AND d.subscriber = s.name AND d.object_id = ANY(${objects})) AS "isStuck",
        waits_in_outbox(${types}, ${objects}) OR EXISTS (
          SELECT FROM event_log l
          WHERE l.company_id = ${tx.companyId} AND l.type = ANY(${types}) AND l.object_id = ANY(${objects})
            AND l.position > coalesce((
              SELECT c.position FROM event_cursors c WHERE c.company_id = ${tx.companyId} AND c.subscriber = s.name), s.since)
        ) AS "isLate"
      FROM event_subscribers s WHERE s.name = ${name}
    `.execute(tx),
  );
}
