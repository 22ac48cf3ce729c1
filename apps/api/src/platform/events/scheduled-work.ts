/** Scheduled work on events: measures their flow and deletes those past their retention. */
import { dayMs } from "@malote/domain/durations";
import { sql } from "kysely";
import { Gauge } from "prom-client";
import { onlyRow } from "../db/only-row.ts";
import { metrics } from "../http/metrics.ts";
import type { Services } from "../services.ts";
import type { Subscriber } from "./subscriber.ts";

const eventsBehindSeconds = new Gauge({
  name: "malote_events_behind_seconds",
  help: "Age of the oldest event that the relay has not moved",
  registers: [metrics],
});

const deadLetters = new Gauge({
  name: "malote_event_dead_letters",
  help: "Events that a subscriber failed to handle, and the events parked behind them",
  registers: [metrics],
});

const deadLetterOldestSeconds = new Gauge({
  name: "malote_event_dead_letter_oldest_seconds",
  help: "Age of the oldest event that a subscriber failed to handle",
  registers: [metrics],
});

const keptDays = 14;
const removedAtOnce = 10_000;

const secondsSince = (at: Date | null, now: Date): number =>
  at === null ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1000);

export async function measureEvents({ db, clock }: Pick<Services, "db" | "clock">): Promise<void> {
  const measured = await db.withSystem((tx) =>
    sql<{ waits_since: Date | null; dead: number; dead_since: Date | null }>`
      SELECT (SELECT min(at) FROM outbox) AS waits_since, count(*)::int AS dead, min(since) AS dead_since
      FROM event_dead_letters
    `.execute(tx),
  );
  const { waits_since, dead, dead_since } = onlyRow(measured);
  eventsBehindSeconds.set(secondsSince(waits_since, clock.now()));
  deadLetters.set(dead);
  deadLetterOldestSeconds.set(secondsSince(dead_since, clock.now()));
}

/** Deletes old events, except those that a subscriber still has to handle. */
export async function deleteOldEvents(
  { db, clock }: Pick<Services, "db" | "clock">,
  subscribers: readonly Subscriber[],
): Promise<void> {
  const before = new Date(clock.now().getTime() - keptDays * dayMs);
  const handled = subscribers.flatMap(({ name, on }) => on.map((type) => ({ name, type })));
  for (let removed = removedAtOnce; removed === removedAtOnce; ) {
    const { rows } = await db.withSystem((tx) =>
      sql`
        DELETE FROM event_log WHERE (company_id, position) IN (
          SELECT l.company_id, l.position FROM event_log l
          WHERE l.at < ${before}
            AND NOT EXISTS (SELECT FROM jsonb_to_recordset(${JSON.stringify(handled)}::jsonb) AS s (name text, type text)
              JOIN event_subscribers r ON r.name = s.name
              LEFT JOIN event_cursors c ON c.company_id = l.company_id AND c.subscriber = s.name
              WHERE s.type = l.type AND coalesce(c.position, r.since) < l.position)
            AND NOT EXISTS (SELECT FROM event_dead_letters d WHERE d.company_id = l.company_id AND d.position = l.position)
          LIMIT ${removedAtOnce})
        RETURNING 1
      `.execute(tx),
    );
    removed = rows.length;
  }
}
