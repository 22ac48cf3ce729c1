/** Rows of events that could not be applied, as received. */
import { statusesPaidOrReturned } from "@malote/domain/payment-status";
import { sql } from "kysely";
import { sqlNameOf } from "../company/index.ts";
import { sqlIsPosted } from "../ledger/index.ts";
import { type ConnectionScope, sqlIsOfConnection, sqlKnownPayments } from "../payouts/index.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { nextRetryAt } from "../platform/db/next-retry.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { statusIn } from "../platform/db/status-in.ts";
import type { Origin, PaymentEvent } from "../ports/rails.ts";

const detailMax = 500;
/** Maximum number of dead letters retried in one turn. */
const triedAtOnce = 50;

/** Event as it is stored, with what it is about and why it was not applied. */
interface StoredEvent {
  id: string;
  detail: string;
  payload: string;
}

/** Inserts an event that fails validation; one that comes again counts as another try. */
export async function insertUnreadableEvent(
  tx: AnyTx,
  { id, detail, payload }: StoredEvent,
  { connection, feed }: Origin,
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO rail_dead_letters AS a (connection, feed, event_id, why, detail, payload, since)
    VALUES (${connection}, ${feed}, ${id}, 'unreadable', ${detail.slice(0, detailMax)}, ${payload}, ${now})
    ON CONFLICT ON CONSTRAINT rail_dead_letters_once DO UPDATE SET tries = a.tries + 1
  `.execute(tx);
}

/**
 * Inserts an event whose application failed, or counts one try more and sets the next one: after 1 minute, then 2, 4 …
 * up to an hour. `reopens` says whether one that a person closed is open again.
 */
export async function insertFailedEvent(
  tx: AnyTx,
  { id, detail, payload, companyId }: StoredEvent & { companyId: string | null },
  { connection, feed }: Origin,
  { now, reopens }: { now: Date; reopens: boolean },
): Promise<void> {
  await sql`
    INSERT INTO rail_dead_letters AS a (company_id, connection, feed, event_id, why, detail, payload, since, try_at)
    VALUES (${companyId}, ${connection}, ${feed}, ${id}, 'failed', ${detail.slice(0, detailMax)}, ${payload},
      ${now}, ${now}::timestamptz + interval '1 minute')
    ON CONFLICT ON CONSTRAINT rail_dead_letters_once DO UPDATE
    SET tries = a.tries + 1, detail = excluded.detail, closed_at = NULL, closed_reason = NULL, trying_until = NULL,
      try_at = ${nextRetryAt(now, sql`a.tries`, { firstSeconds: 60, longestSeconds: 3_600 })}
    WHERE ${reopens}::boolean OR a.closed_at IS NULL
  `.execute(tx);
}

/**
 * Inserts an event of the operator, due at once, so that the retries of failed events apply it. Returns false while an
 * earlier one of the operator about the same payment is open.
 */
export async function insertOperatorEvent(
  tx: Tx,
  { id, payload, endToEndId }: Pick<StoredEvent, "id" | "payload"> & { endToEndId: string },
  connection: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<{ event_id: string }>`
    INSERT INTO rail_dead_letters (company_id, connection, feed, event_id, why, detail, payload, since, try_at)
    SELECT ${tx.companyId}::uuid, ${connection}::text, 'operator', ${id}::text, 'failed', 'to be applied', ${payload}::text,
      ${now}::timestamptz, ${now}::timestamptz
    WHERE NOT EXISTS (SELECT FROM rail_dead_letters d WHERE d.company_id = ${tx.companyId} AND d.feed = 'operator'
      AND d.closed_at IS NULL AND d.payload::jsonb ->> 'endToEndId' = ${endToEndId})
    RETURNING event_id
  `.execute(tx);
  return rows.length === 1;
}

/**
 * Stores reports of an unknown payment, of another value, or that contradict the books: paid after it was corrected or
 * returned, failed after it arrived. Changes nothing else, because either side may be wrong. Finds a corrected attempt
 * by its key: its failure is known, and every other report contradicts it.
 */
export async function insertContradictions(
  tx: Tx,
  events: readonly PaymentEvent[],
  now: Date,
  over: ConnectionScope,
): Promise<{ event_id: string; detail: string }[]> {
  const ids = events.map((event) => event.endToEndId);
  const isPosted = sqlIsPosted(tx, sql`'paid:' || t.end_to_end_id`);
  const { rows } = await sql<{ event_id: string; detail: string }>`
    WITH e AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
        AS e (id text, kind text, "endToEndId" text, at timestamptz, value bigint, reason text, final boolean, "authorizationCode" text)
    ), ${sqlKnownPayments(tx, ids)}
    INSERT INTO rail_dead_letters (company_id, connection, event_id, why, detail, payload, since)
    SELECT ${tx.companyId}::uuid, ${over.connection}, e.id, 'contradiction',
      CASE WHEN t.id IS NULL THEN 'no payment has this id'
        WHEN NOT ${sqlIsOfConnection(over)} THEN e.kind || ', but the payment was sent over ' || t.connection
        WHEN e.value <> t.value THEN e.kind || ' with ' || e.value || ' centavos, but the payment is of ' || t.value
        WHEN t.number IS NOT NULL THEN e.kind || ' of attempt ' || t.number || ', which failed and was followed by another; the payment is '
          || t.status
        ELSE e.kind || ', but the payment is ' || t.status END,
      to_jsonb(e)::text, ${now}::timestamptz
    FROM e LEFT JOIN known t ON t.end_to_end_id = e."endToEndId"
    WHERE t.id IS NULL OR e.value <> t.value OR NOT ${sqlIsOfConnection(over)}
      OR CASE WHEN t.number IS NOT NULL THEN e.kind <> 'failed' ELSE
        (e.kind = 'failed' AND t.status IN ${statusIn(statusesPaidOrReturned)} AND ${isPosted})
        OR (e.kind IN ('settled', 'finished') AND t.status NOT IN ${statusIn(statusesPaidOrReturned)})
        OR (e.kind IN ('settled', 'finished', 'returned') AND t.status = 'RETURNED' AND NOT ${isPosted})
        OR (e.kind = 'returned' AND t.status <> 'RETURNED') END
    ON CONFLICT ON CONSTRAINT rail_dead_letters_once DO NOTHING
    RETURNING event_id, detail
  `.execute(tx);
  return rows;
}

/** Inserts a report that contradicts the rows here, or repeats an id with other content; once for each content. */
export async function insertConflictingEvent(
  tx: Tx,
  { id, detail, payload, why }: StoredEvent & { why: "contradiction" | "changed" },
  { connection }: Origin,
  now: Date,
): Promise<void> {
  await sql`
    INSERT INTO rail_dead_letters (company_id, connection, event_id, why, detail, payload, since)
    VALUES (${tx.companyId}, ${connection}, ${id}, ${why}, ${detail.slice(0, detailMax)}, ${payload}, ${now})
    ON CONFLICT ON CONSTRAINT rail_dead_letters_once DO NOTHING
  `.execute(tx);
}

interface DueDeadLetter extends Origin {
  id: string;
  payload: string;
}

/**
 * Reserves a claimed dead letter for its retry: for one minute from now it cannot be closed, however long earlier
 * retries took. Returns false when it was closed or applied in the meantime.
 */
export async function reserveDeadLetter(tx: AnyTx, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    UPDATE rail_dead_letters SET trying_until = ${now}::timestamptz + interval '1 minute'
    WHERE id = ${id} AND closed_at IS NULL RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

/**
 * Claims the dead letters that are due. One process takes each; if that process dies, the dead letter becomes due
 * again.
 */
export async function claimDueDeadLetters(tx: AnyTx, now: Date): Promise<DueDeadLetter[]> {
  const { rows } = await sql<DueDeadLetter>`
    WITH due AS (
      UPDATE rail_dead_letters SET try_at = ${now}::timestamptz + interval '1 minute',
        trying_until = ${now}::timestamptz + interval '1 minute'
      WHERE id IN (SELECT id FROM rail_dead_letters WHERE why = 'failed' AND closed_at IS NULL AND try_at <= ${now}
        ORDER BY try_at LIMIT ${triedAtOnce} FOR UPDATE SKIP LOCKED)
      RETURNING id, connection, feed, payload, since
    )
    -- Oldest first: of two contents of one event, the first is applied.
    SELECT id, connection, feed, payload FROM due ORDER BY since, id
  `.execute(tx);
  return rows;
}

/** Deletes an open dead letter; one that the operator closed meanwhile is kept. */
export async function deleteDeadLetter(tx: AnyTx, id: string): Promise<void> {
  await sql`DELETE FROM rail_dead_letters WHERE id = ${id} AND closed_at IS NULL`.execute(tx);
}

export async function countOpenDeadLetters(tx: AnyTx): Promise<number> {
  const counted = await sql<{ count: number }>`
    SELECT count(*) AS count FROM rail_dead_letters WHERE closed_at IS NULL
  `.execute(tx);
  return onlyRow(counted).count;
}

export interface RailDeadLetter {
  id: string;
  /** The company's name; null when the event names no company of this installation. */
  company: string | null;
  connection: string;
  event_id: string;
  why: "unreadable" | "contradiction" | "failed" | "changed";
  detail: string;
  since: Date;
  tries: number;
  try_at: Date | null;
}

/** Returns the open dead letters, the oldest first. */
export async function listRailDeadLetters(tx: AnyTx): Promise<RailDeadLetter[]> {
  const { rows } = await sql<RailDeadLetter>`
    SELECT d.id, ${sqlNameOf(sql`d`)} AS company, d.connection, d.event_id, d.why, d.detail, d.since, d.tries, d.try_at
    FROM rail_dead_letters d
    WHERE d.closed_at IS NULL ORDER BY d.since, d.id LIMIT 1000
  `.execute(tx);
  return rows;
}

type ClosedDeadLetter = Pick<RailDeadLetter, "connection" | "event_id" | "why"> & {
  company_id: string | null;
};

/**
 * Closes a dead letter for good; the books check ignores it from then on. Returns undefined when none is open under the
 * id, and leaves one that a worker is retrying, because it may be applied.
 */
export async function closeRailDeadLetter(
  tx: AnyTx,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<ClosedDeadLetter | "being_tried" | undefined> {
  const { rows } = await sql<ClosedDeadLetter & { is_closed: boolean }>`
    WITH found AS (
      SELECT id, coalesce(trying_until > ${now}, false) AS is_tried FROM rail_dead_letters
      WHERE id = ${id} AND closed_at IS NULL FOR UPDATE
    ), closed AS (
      UPDATE rail_dead_letters d SET closed_at = ${now}, closed_reason = ${reason}
      FROM found WHERE d.id = found.id AND NOT found.is_tried
      RETURNING d.id
    )
    SELECT d.company_id, d.connection, d.event_id, d.why, EXISTS (SELECT FROM closed) AS is_closed
    FROM found JOIN rail_dead_letters d ON d.id = found.id
  `.execute(tx);
  const [found] = rows;
  if (!found) return undefined;
  const { is_closed, ...closed } = found;
  return is_closed ? closed : "being_tried";
}
