/** Progress of a subscriber on some objects, for screens that show its results. */
import { sql } from "kysely";
import type { Tx } from "../db/database.ts";
import { onlyRow } from "../db/only-row.ts";
import type { Subscriber } from "./subscriber.ts";

export interface Progress {
  /** Start of the subscription, before which it received no events; null where the start was not recorded. */
  since: Date | null;
  /** True when an event of the object failed and waits for a retry or a person, or waits behind such an event. */
  isStuck: boolean;
  /** True when the subscriber has yet to handle an emitted event. */
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
