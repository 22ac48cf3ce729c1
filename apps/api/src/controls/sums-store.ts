/** Sums of a day's outflows by person and by payee, which decide how many approvers are needed. */
import { batchTypes, outgoingBatchStatuses } from "@malote/domain/batch-status";
import type { OutflowKind } from "@malote/domain/controls";
import { sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";
import { lockFor } from "../platform/db/locks.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { prepared } from "../platform/db/prepared.ts";
import { statusIn, typeIn } from "../platform/db/status-in.ts";
import type { Correction } from "./correction.ts";
import { sumsLock } from "./locks.ts";

/** Serialises payments whose daily sums decide: of two at once the second counts the first. */
export async function lockSums(tx: Tx): Promise<void> {
  await lockFor(tx, sumsLock);
}

/**
 * Question about the outflows of these people, without `own`. `batch`: the batch whose failed payments are resent.
 */
interface SumQuestion {
  people: readonly string[];
  own: readonly string[];
  /** Makers choose the ids of batches and payments, so an id identifies an object only within its kind. */
  kind: OutflowKind;
  batch: string | null;
}

/**
 * Returns, for each question, the sum that its people sent out after `since`, and whether it includes the batch. A
 * batch counts with all its payments, so a failed one that the same people resent on the same day counts once.
 */
export async function sumSentOut(
  tx: Tx,
  questions: readonly SumQuestion[],
  since: Date,
): Promise<{ value: number; hasBatch: boolean }[]> {
  const given = questions.map(({ people, ...one }, n) => ({ ...one, n, people: [...people].sort() }));
  const { rows } = await sql<{ value: number; hasBatch: boolean }>`
    WITH questions AS MATERIALIZED (
      SELECT n, people, own, kind AS way, batch FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        AS a (n int, people uuid[], own uuid[], kind text, batch uuid)),
    sent AS MATERIALIZED (
      SELECT id, way, amount, people, batch_id FROM outflows WHERE company_id = ${tx.companyId} AND at >= ${since}),
    counted AS MATERIALIZED (
      SELECT k.people, o.id, o.way, o.amount FROM (SELECT DISTINCT people FROM questions) k JOIN sent o ON o.people && k.people
        LEFT JOIN sent b ON b.id = o.batch_id AND b.way = 'BATCH' AND b.people && k.people
      WHERE b.id IS NULL),
    sums AS (SELECT people, sum(amount) AS value FROM counted GROUP BY people),
    excepted AS (
      SELECT questions.n, sum(counted.amount) AS value
      FROM questions CROSS JOIN LATERAL unnest(questions.own) AS given(id) JOIN counted USING (people, id, way) GROUP BY questions.n)
    SELECT least(coalesce(sums.value, 0) - coalesce(excepted.value, 0), 9007199254740991)::bigint AS value,
      EXISTS (SELECT FROM counted WHERE counted.people = questions.people AND counted.way = 'BATCH' AND counted.id = questions.batch) AS "hasBatch"
    FROM questions LEFT JOIN sums USING (people) LEFT JOIN excepted USING (n) ORDER BY questions.n
  `.execute(tx);
  return rows;
}

/** Stores an outflow once per object; a batch that was reopened and closed again counts by its last closing. */
export async function saveOutflow(
  tx: Tx,
  out: { id: string; kind: OutflowKind; amount: number; people: readonly string[]; now: Date },
): Promise<void> {
  await sql`
    ${prepared} INSERT INTO outflows (company_id, id, way, amount, people, at)
    VALUES (${tx.companyId}, ${out.id}, ${out.kind}, ${out.amount}, ${out.people}::uuid[], ${out.now})
    ON CONFLICT (company_id, id, way) DO UPDATE SET amount = excluded.amount, people = excluded.people, at = excluded.at
  `.execute(tx);
}

/**
 * Stores failed payments that were resent, each by itself; a payment sent once more counts once, by its last
 * resend.
 */
export async function saveCorrections(
  tx: Tx,
  out: { correction: Correction; people: readonly string[]; now: Date },
): Promise<void> {
  const { batchId, payments } = out.correction;
  await sql`
    INSERT INTO outflows (company_id, id, way, amount, people, at, batch_id, redirects)
    SELECT ${tx.companyId}, p.id, 'CORRECTION', p.value, ${out.people}::uuid[], ${out.now}, ${batchId}, p.redirects
    FROM jsonb_to_recordset(${JSON.stringify(payments)}::jsonb) AS p (id uuid, value bigint, redirects boolean)
    ON CONFLICT (company_id, id, way) DO UPDATE SET amount = excluded.amount, people = excluded.people, at = excluded.at,
      redirects = outflows.redirects OR excluded.redirects
  `.execute(tx);
}

/** Deletes the outflow of a batch that was reopened before its money left. */
export async function deleteOutflow(tx: Tx, id: string): Promise<void> {
  await sql`DELETE FROM outflows WHERE company_id = ${tx.companyId} AND id = ${id} AND way = 'BATCH'`.execute(
    tx,
  );
}

/**
 * Payments of batches closed after `since`, and payments of older batches that were resent after it; each counts
 * once.
 */
const sentSince = (tx: Tx, since: Date) => sql`
  SELECT receiver_id(t) AS payee, t.value, t.id, t.batch_id
  FROM batches b JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
  WHERE b.company_id = ${tx.companyId} AND b.closed_at >= ${since}
    AND b.type IN ${typeIn(batchTypes)} AND b.status IN ${statusIn(outgoingBatchStatuses)}
  UNION ALL
  SELECT receiver_id(t), t.value, t.id, t.batch_id
  FROM outflows o JOIN transfers t ON t.company_id = o.company_id AND t.id = o.id
    JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
  WHERE o.company_id = ${tx.companyId} AND o.at >= ${since} AND o.way = 'CORRECTION'
    AND (b.closed_at IS NULL OR b.closed_at < ${since})`;

/**
 * Returns, for each correction, the largest sum that one of its receivers gets after `since`, and how much of the batch
 * goes to other receivers than were approved.
 */
export async function sumCorrected(
  tx: Tx,
  corrections: readonly Correction[],
  since: Date,
): Promise<{ toPayee: number; redirected: number }[]> {
  if (corrections.length === 0) return [];
  const questions = corrections.map(({ batchId, payments }, n) => ({ n, batch: batchId, payments }));
  const { rows } = await sql<{ toPayee: number; redirected: number }>`
    WITH questions AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(questions)}::jsonb) AS c (n int, batch uuid, payments jsonb)),
    given AS MATERIALIZED (
      SELECT questions.n, p.id, p.value, p.payee, p.redirects OR coalesce(o.redirects, false) AS redirects
      FROM questions CROSS JOIN LATERAL jsonb_to_recordset(questions.payments)
        AS p (id uuid, value bigint, payee uuid, redirects boolean)
      LEFT JOIN outflows o ON o.company_id = ${tx.companyId} AND o.id = p.id AND o.way = 'CORRECTION'),
    own AS (SELECT n, payee, sum(value) AS value FROM given GROUP BY n, payee),
    others AS (
      SELECT own.n, own.payee, sum(sent.value) AS value FROM own JOIN (${sentSince(tx, since)}) sent USING (payee)
      WHERE NOT EXISTS (SELECT FROM given WHERE given.n = own.n AND given.id = sent.id) GROUP BY own.n, own.payee),
    payees AS (
      SELECT own.n, max(own.value + coalesce(others.value, 0)) AS value FROM own LEFT JOIN others USING (n, payee) GROUP BY own.n),
    before AS (
      SELECT questions.n, sum(o.amount) AS value
      FROM questions JOIN outflows o ON o.company_id = ${tx.companyId} AND o.batch_id = questions.batch AND o.redirects
      WHERE NOT EXISTS (SELECT FROM given WHERE given.n = questions.n AND given.id = o.id) GROUP BY questions.n),
    elsewhere AS (SELECT n, sum(value) AS value FROM given WHERE redirects GROUP BY n)
    SELECT least(coalesce(payees.value, 0), 9007199254740991)::bigint AS "toPayee",
      -- Sums of other destinations do not count for payments whose destination was approved.
      least(CASE WHEN elsewhere.value IS NULL THEN 0 ELSE elsewhere.value + coalesce(before.value, 0) END, 9007199254740991)::bigint
        AS redirected
    FROM questions LEFT JOIN payees USING (n) LEFT JOIN before USING (n) LEFT JOIN elsewhere USING (n) ORDER BY questions.n
  `.execute(tx);
  return rows;
}

/**
 * Returns the largest payment of a batch, and the largest sum that one receiver gets from it and from other payments
 * after `since`.
 */
export async function readLargest(
  tx: Tx,
  batchId: string,
  since: Date,
): Promise<{ largest: number; toPayee: number }> {
  return onlyRow(
    await sql<{ largest: number; toPayee: number }>`
      WITH own AS MATERIALIZED (
        SELECT receiver_id(t) AS payee, sum(t.value) AS value, max(t.value) AS largest FROM transfers t
        WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} GROUP BY 1),
      others AS (
        SELECT payee, sum(value) AS value FROM (${sentSince(tx, since)}) sent WHERE sent.batch_id <> ${batchId}
        GROUP BY payee)
      SELECT coalesce(max(own.largest), 0)::bigint AS largest,
        least(coalesce(max(own.value + coalesce(others.value, 0)), 0), 9007199254740991)::bigint AS "toPayee"
      FROM own LEFT JOIN others USING (payee)
    `.execute(tx),
  );
}
