/** Attempts to hand a payment over, as rows: the network's answer and the network's own references for the order. */
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import type { OrderAnswer, RailTiming } from "../../ports/rails.ts";
import { insertReferences } from "./known-order-store.ts";

const answerMax = 2_000;
const reasonMax = 500;
const kindMax = 50;
const valueMax = 200;

/** Result of one order: the network's answer, or `not_sent` when the whole call failed. */
export type AttemptResult = OrderAnswer | { result: "not_sent"; cause: string; retryAt: Date };

export interface Refusal {
  key: string;
  reason: string;
}

/** Cuts text from outside to a length that PostgreSQL accepts: without null characters or half surrogate pairs. */
const bounded = (text: string, max: number) => text.replaceAll("\0", "").slice(0, max).toWellFormed();

function reasonOf(answer: AttemptResult): string | null {
  if (answer.result === "accepted") return null;
  return bounded(answer.result === "refused" ? answer.reason : answer.cause, reasonMax);
}

/**
 * Stores the results of orders by key, in one statement; accepted orders are with the network from here on. An accepted
 * or refused attempt keeps its result when a late call reports another. Returns the refusals that this call stored.
 */
export async function saveAnswers(
  tx: Tx,
  results: ReadonlyMap<string, AttemptResult>,
  now: Date,
  { outcomeWithinMs }: Pick<RailTiming, "outcomeWithinMs">,
): Promise<Refusal[]> {
  const accepted = [...results.keys()].filter((key) => results.get(key)?.result === "accepted");
  const rows = [...results]
    .map(([key, one]) => ({
      key,
      result: one.result,
      reason: reasonOf(one),
      answer: "raw" in one && one.raw ? bounded(one.raw, answerMax) : null,
      retry_at: one.result === "not_sent" ? one.retryAt : null,
    }))
    // Nearly all orders are accepted without further detail; only the others need a row.
    .filter(({ result, answer }) => result !== "accepted" || answer !== null);
  const keys = rows.map(({ key }) => key);
  const { rows: refused } = await sql<Refusal>`
    WITH noted AS (
      UPDATE payment_attempts p
      SET result = n.result, reason = n.reason, answer = n.answer, answered_at = ${now}, retry_at = n.retry_at
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS n (key text, result text, reason text, answer text, retry_at timestamptz)
      WHERE p.company_id = ${tx.companyId} AND p.key = n.key AND p.key = ANY(${keys}::text[])
        AND p.result NOT IN ('accepted', 'refused')
      RETURNING p.key, p.result, p.reason
    ), plain AS (
      UPDATE payment_attempts SET result = 'accepted', reason = NULL, answered_at = ${now}, retry_at = NULL
      WHERE company_id = ${tx.companyId} AND key = ANY(${accepted.filter((key) => !keys.includes(key))}::text[])
        AND result NOT IN ('accepted', 'refused')
    ), accepted AS (
      UPDATE transfers
      SET sent_at = ${now}, ask_at = ${now}::timestamptz
        + (${JSON.stringify(outcomeWithinMs)}::jsonb ->> payment_method)::bigint * interval '1 millisecond'
      WHERE company_id = ${tx.companyId} AND end_to_end_id = ANY(${accepted}::text[]) AND sent_at IS NULL
    )
    SELECT key, coalesce(reason, '') AS reason FROM noted WHERE result = 'refused'
  `.execute(tx);
  await saveReferences(tx, results, now);
  return refused;
}

/** Stores the network's references beside ours, each once, in the order of their arrival. */
async function saveReferences(tx: Tx, results: ReadonlyMap<string, AttemptResult>, now: Date): Promise<void> {
  const given = [...results].flatMap(([key, one]) =>
    one.result === "accepted" ? (one.references ?? []).map((reference) => ({ key, ...reference })) : [],
  );
  if (given.length === 0) return;
  const rows = given.map(({ key, kind, value }) => ({
    key,
    kind: bounded(kind, kindMax),
    value: bounded(value, valueMax),
  }));
  await insertReferences(tx, rows, now);
}

/**
 * Marks refused payments as sent once the refusal was applied or stored as a dead letter, so that they are not sent
 * again.
 */
export async function markRefusalsApplied(tx: Tx, keys: readonly string[], now: Date): Promise<void> {
  await sql`
    UPDATE transfers SET sent_at = ${now}
    WHERE company_id = ${tx.companyId} AND end_to_end_id = ANY(${keys}::text[]) AND sent_at IS NULL AND status = 'EXECUTING'
  `.execute(tx);
}

/**
 * Counts a resubmission on the attempt, before an order in doubt is sent again, and stores the time from which the
 * network may know it.
 */
export async function recordResubmission(
  tx: Tx,
  keys: readonly string[],
  now: Date,
  connection: string,
): Promise<void> {
  await sql`
    INSERT INTO payment_attempts AS p (company_id, transfer_id, number, connection, key, submitted_at, result)
    SELECT t.company_id, t.id, t.attempt, coalesce(t.connection, ${connection}), t.end_to_end_id, ${now}::timestamptz, 'unanswered'
    FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.end_to_end_id = ANY(${keys}::text[])
    ON CONFLICT (company_id, key) DO UPDATE
    SET submitted_at = excluded.submitted_at, submissions = p.submissions + 1, result = 'unanswered'
    WHERE p.result NOT IN ('accepted', 'refused')
  `.execute(tx);
}
