/** Events that could not be applied: stored as received, counted for monitoring, and logged. */
import { createHash } from "node:crypto";
import { statusesPaidOrReturned } from "@malote/domain/transfer-status";
import { sql } from "kysely";
import { Gauge } from "prom-client";
import { sqlNameOf } from "../company/index.ts";
import { sqlIsPosted } from "../ledger/index.ts";
import { type ConnectionScope, sqlIsOfConnection, sqlKnownPayments } from "../payouts/index.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { nextRetryAt } from "../platform/db/next-retry.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { statusIn } from "../platform/db/status-in.ts";
import { metrics } from "../platform/http/metrics.ts";
import type { Services } from "../platform/services.ts";
import type { PayinEvent } from "../ports/charges.ts";
import type { Origin, PaymentEvent, PixReceived, ReferredEvent } from "../ports/rails.ts";

export const deadLetterEvents = new Gauge({
  name: "malote_rail_dead_letters",
  help: "Events of the payment network kept as dead letters for a person to look at",
  registers: [metrics],
});

type AppliedEvent = PaymentEvent | PayinEvent | PixReceived;
/** Payload of a dead letter; early versions may have stored only an id. */
type KeptEvent = AppliedEvent | ReferredEvent | { id: string };
type Needs = Pick<Services, "db" | "clock" | "log">;

const payloadMax = 20_000;
const detailMax = 500;
/** Maximum number of dead letters retried in one turn. */
const triedAtOnce = 50;

/** Stores an event that fails validation. */
export async function keepUnreadableEvent(
  { db, clock, log }: Needs,
  received: unknown,
  why: string,
  { connection, feed }: Origin,
) {
  const payload = String(JSON.stringify(received)).slice(0, payloadMax);
  const id = createHash("sha256").update(payload).digest("hex");
  await db.withSystem((tx) =>
    sql`
      INSERT INTO rail_dead_letters AS a (connection, feed, event_id, why, detail, payload, since)
      VALUES (${connection}, ${feed}, ${id}, 'unreadable', ${why.slice(0, detailMax)}, ${payload}, ${clock.now()})
      ON CONFLICT ON CONSTRAINT rail_dead_letters_once DO UPDATE SET tries = a.tries + 1
    `.execute(tx),
  );
  log.error({ event: id, why }, "an event that fails validation was stored as a dead letter");
}

/**
 * Stores a readable event whose application failed, and retries it after 1 minute, then 2, 4 … up to an hour. A closed
 * dead letter reopens when the network reports the event again (`reopens`), but not after a retry of our own.
 */
export async function keepFailedEvent(
  { db, clock, log }: Needs,
  event: KeptEvent,
  error: Error,
  { connection, feed }: Origin,
  { reopens = true } = {},
) {
  // A Pix names a key but no company, and the failure may be that its company is unknown.
  const companyId = "companyId" in event ? event.companyId : null;
  const now = clock.now();
  await db.withSystem((tx) =>
    sql`
      INSERT INTO rail_dead_letters AS a (company_id, connection, feed, event_id, why, detail, payload, since, try_at)
      VALUES (${companyId}, ${connection}, ${feed}, ${event.id}, 'failed', ${error.message.slice(0, detailMax)}, ${JSON.stringify(event)},
        ${now}, ${now}::timestamptz + interval '1 minute')
      ON CONFLICT ON CONSTRAINT rail_dead_letters_once DO UPDATE
      SET tries = a.tries + 1, detail = excluded.detail, closed_at = NULL, closed_reason = NULL, trying_until = NULL,
        try_at = ${nextRetryAt(now, sql`a.tries`, { firstSeconds: 60, longestSeconds: 3_600 })}
      WHERE ${reopens}::boolean OR a.closed_at IS NULL
    `.execute(tx),
  );
  log.error({ err: error, company: companyId, event: event.id }, "an event was stored as a dead letter");
}

/**
 * Stores reports of an unknown payment, of another value, or that contradict the books: paid after it was corrected or
 * returned, failed after it arrived. Changes nothing else, because either side may be wrong. Finds a corrected attempt
 * by its key: its failure is known, and every other report contradicts it.
 */
export async function keepConflictingEvents(
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

/**
 * Stores a report that contradicts the rows here, or that repeats an id with other content (`changed`). Changes nothing
 * else, because either side may be wrong.
 */
export async function keepConflictingEvent(
  tx: Tx,
  { clock, log }: Pick<Needs, "clock" | "log">,
  { event, detail, why }: { event: AppliedEvent; detail: string; why: "contradiction" | "changed" },
  { connection }: Origin,
): Promise<void> {
  await sql`
    INSERT INTO rail_dead_letters (company_id, connection, event_id, why, detail, payload, since)
    VALUES (${tx.companyId}, ${connection}, ${event.id}, ${why}, ${detail.slice(0, detailMax)}, ${JSON.stringify(event)}, ${clock.now()})
    ON CONFLICT ON CONSTRAINT rail_dead_letters_once DO NOTHING
  `.execute(tx);
  log.error(
    { company: tx.companyId, event: event.id, why, detail },
    "an event that contradicts a known outcome was stored as a dead letter",
  );
}

interface DueDeadLetter extends Origin {
  id: string;
  payload: string;
}

/**
 * Reserves a claimed dead letter for its retry: for one minute from now it cannot be closed, however long earlier
 * retries took. Returns false when it was closed or applied in the meantime.
 */
export async function beginTry({ db, clock }: Needs, id: string): Promise<boolean> {
  const now = clock.now();
  const { rows } = await db.withSystem((tx) =>
    sql<{ id: string }>`
      UPDATE rail_dead_letters SET trying_until = ${now}::timestamptz + interval '1 minute'
      WHERE id = ${id} AND closed_at IS NULL RETURNING id
    `.execute(tx),
  );
  return rows.length > 0;
}

/**
 * Claims the dead letters that are due. One process takes each; if that process dies, the dead letter becomes due
 * again.
 */
export async function dueDeadLetters({ db, clock }: Needs): Promise<DueDeadLetter[]> {
  const now = clock.now();
  const { rows } = await db.withSystem((tx) =>
    sql<DueDeadLetter>`
      WITH due AS (
        UPDATE rail_dead_letters SET try_at = ${now}::timestamptz + interval '1 minute',
          trying_until = ${now}::timestamptz + interval '1 minute'
        WHERE id IN (SELECT id FROM rail_dead_letters WHERE why = 'failed' AND closed_at IS NULL AND try_at <= ${now}
          ORDER BY try_at LIMIT ${triedAtOnce} FOR UPDATE SKIP LOCKED)
        RETURNING id, connection, feed, payload, since
      )
      -- Oldest first: of two contents of one event, the first is applied.
      SELECT id, connection, feed, payload FROM due ORDER BY since, id
    `.execute(tx),
  );
  return rows;
}

/** Deletes an open dead letter after its event was applied; one that the operator closed during the retry is kept. */
export async function resolveDeadLetter({ db, log }: Needs, id: string): Promise<void> {
  await db.withSystem((tx) =>
    sql`DELETE FROM rail_dead_letters WHERE id = ${id} AND closed_at IS NULL`.execute(tx),
  );
  log.warn({ deadLetter: id }, "a dead letter was applied");
}

/** Updates the number of open dead letters on the metrics page. */
export async function countDeadLetters({ db }: Needs): Promise<void> {
  const counted = await db.withSystem((tx) =>
    sql<{ count: number }>`SELECT count(*) AS count FROM rail_dead_letters WHERE closed_at IS NULL`.execute(
      tx,
    ),
  );
  deadLetterEvents.set(onlyRow(counted).count);
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
