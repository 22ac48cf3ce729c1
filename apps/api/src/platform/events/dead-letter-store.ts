/**
 * Dead letters: events that a subscriber could not handle. The first one of an object is retried with backoff, a
 * bounded number of times; later ones of that object wait behind it, so that a subscriber sees an object's events in
 * order.
 */
import { sql } from "kysely";
import type { AnyTx, Tx } from "../db/database.ts";
import { nextRetryAt } from "../db/next-retry.ts";
import type { Services } from "../services.ts";
import type { LogRow } from "./subscriber.ts";

/** Retries after 5 s, 10, 20 … for some forty minutes in all; then a person decides. */
const triesMax = 10;
const backoff = { firstSeconds: 5, longestSeconds: 600 };
const detailMax = 500;

type ObjectOf = Pick<LogRow, "object_kind" | "object_id">;
export const objectKey = ({ object_kind, object_id }: ObjectOf) => `${object_kind} ${object_id}`;

/** SQL condition that `d` is the first dead letter of its object: later ones are not retried. */
const isHead = sql`NOT EXISTS (
  SELECT FROM event_dead_letters e WHERE e.company_id = d.company_id AND e.subscriber = d.subscriber
    AND e.object_kind = d.object_kind AND e.object_id = d.object_id AND e.position < d.position)`;

export async function listBlockedObjects(tx: Tx, subscriber: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<ObjectOf>`
    SELECT DISTINCT object_kind, object_id FROM event_dead_letters
    WHERE company_id = ${tx.companyId} AND subscriber = ${subscriber}
  `.execute(tx);
  return new Set(rows.map(objectKey));
}

/** Stores events behind a dead letter of the same object; they are due as soon as none is before them. */
export async function insertWaiting(
  tx: Tx,
  subscriber: string,
  rows: readonly LogRow[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    INSERT INTO event_dead_letters (company_id, subscriber, position, object_kind, object_id, tries, since, try_at)
    SELECT company_id, ${subscriber}::text, position, object_kind, object_id, 0, ${now}::timestamptz, ${now}::timestamptz
    FROM event_log WHERE company_id = ${tx.companyId} AND position = ANY(${rows.map(({ position }) => position)}::bigint[])
  `.execute(tx);
}

export async function insertFailed(
  tx: Tx,
  subscriber: string,
  { position, object_kind, object_id }: LogRow,
  error: Error,
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO event_dead_letters (company_id, subscriber, position, object_kind, object_id, tries, detail, since, try_at)
    VALUES (${tx.companyId}, ${subscriber}, ${position}, ${object_kind}, ${object_id}, 1, ${detailOf(error)}, ${now},
      ${nextRetryAt(now, sql`0`, backoff)})
  `.execute(tx);
}

/** Records another failure. Does nothing where another worker handled the event meanwhile. */
export async function recordRepeatedFailure(
  tx: Tx,
  subscriber: string,
  position: number,
  error: Error,
  now: Date,
): Promise<void> {
  await sql`
    UPDATE event_dead_letters d SET tries = d.tries + 1, detail = ${detailOf(error)},
      try_at = ${nextRetryAt(now, sql`d.tries`, backoff)},
      dead_at = CASE WHEN d.tries + 1 >= ${triesMax} THEN ${now}::timestamptz END
    WHERE company_id = ${tx.companyId} AND subscriber = ${subscriber} AND position = ${position}
  `.execute(tx);
}

const detailOf = (error: Error) => error.message.slice(0, detailMax);

export async function listCompaniesToRetry({ db, clock }: Services, subscriber: string): Promise<string[]> {
  const { rows } = await db.withSystem((tx) =>
    sql<{ company_id: string }>`
      SELECT DISTINCT d.company_id FROM event_dead_letters d
      WHERE d.subscriber = ${subscriber} AND d.dead_at IS NULL AND d.try_at <= ${clock.now()} AND ${isHead}
    `.execute(tx),
  );
  return rows.map((row) => row.company_id);
}

/** Removes a due dead letter and returns it for a retry; the removal is permanent if the transaction commits. */
export async function retryHead(tx: Tx, subscriber: string, now: Date): Promise<LogRow | undefined> {
  const { rows } = await sql<LogRow>`
    WITH due AS (
      DELETE FROM event_dead_letters WHERE (company_id, subscriber, position) IN (
        SELECT d.company_id, d.subscriber, d.position FROM event_dead_letters d
        WHERE d.company_id = ${tx.companyId} AND d.subscriber = ${subscriber} AND d.dead_at IS NULL AND d.try_at <= ${now}
          AND ${isHead}
        ORDER BY d.try_at, d.position LIMIT 1)
      RETURNING company_id, position
    )
    SELECT l.position, l.id, l.type, l.version, l.object_kind, l.object_id, l.payload, l.at
    FROM event_log l JOIN due USING (company_id, position)
  `.execute(tx);
  return rows[0];
}

export interface DeadLetter {
  company_id: string;
  company: string;
  subscriber: string;
  position: number;
  type: string;
  object_kind: string;
  object_id: string;
  tries: number;
  detail: string | null;
  since: Date;
  try_at: Date;
  dead_at: Date | null;
  /** Number of later events of the same object. */
  waiting: number;
}

/** Lists the first dead letter of each object, oldest first. */
export async function listDeadLetters(tx: AnyTx): Promise<DeadLetter[]> {
  const { rows } = await sql<DeadLetter>`
    SELECT d.company_id, c.name AS company, d.subscriber, d.position, l.type, d.object_kind, d.object_id, d.tries, d.detail,
      d.since, d.try_at, d.dead_at,
      (SELECT count(*)::int FROM event_dead_letters e WHERE e.company_id = d.company_id AND e.subscriber = d.subscriber
        AND e.object_kind = d.object_kind AND e.object_id = d.object_id AND e.position > d.position) AS waiting
    FROM event_dead_letters d
    JOIN event_log l ON l.company_id = d.company_id AND l.position = d.position
    JOIN companies c ON c.company_id = d.company_id
    WHERE ${isHead} ORDER BY d.since, d.position
  `.execute(tx);
  return rows;
}

/** Key of a dead letter; it must be the first of its object. */
export interface WhichDeadLetter {
  subscriber: string;
  position: number;
}

/**
 * Makes a dead letter due at once and resets its number of tries. Returns undefined when it does not exist or is not
 * the first of its object.
 */
export async function retryDeadLetter(
  tx: AnyTx,
  { subscriber, position }: WhichDeadLetter,
  now: Date,
): Promise<string | undefined> {
  await lockCursors(tx, subscriber, position);
  const { rows } = await sql<{ company_id: string }>`
    UPDATE event_dead_letters d SET tries = 0, dead_at = NULL, try_at = ${now}
    WHERE d.subscriber = ${subscriber} AND d.position = ${position} AND ${isHead} RETURNING d.company_id
  `.execute(tx);
  return rows[0]?.company_id;
}

/** Removes a dead letter unhandled, so that the events behind it come next. */
export async function skipDeadLetter(
  tx: AnyTx,
  { subscriber, position }: WhichDeadLetter,
): Promise<string | undefined> {
  await lockCursors(tx, subscriber, position);
  const { rows } = await sql<{ company_id: string }>`
    DELETE FROM event_dead_letters d
    WHERE d.subscriber = ${subscriber} AND d.position = ${position} AND ${isHead} RETURNING d.company_id
  `.execute(tx);
  return rows[0]?.company_id;
}

/** Locks the cursors of the subscriber, so that a worker that is retrying the event decides first. */
async function lockCursors(tx: AnyTx, subscriber: string, position: number): Promise<void> {
  await sql`
    SELECT FROM event_cursors c WHERE c.subscriber = ${subscriber} AND EXISTS (
      SELECT FROM event_dead_letters d WHERE d.company_id = c.company_id AND d.subscriber = c.subscriber
        AND d.position = ${position})
    FOR UPDATE
  `.execute(tx);
}
