/** Batches that wait for a person, and the outflow of the next days. */

import { batchTypes } from "@malote/domain/batch-status";
import type { CalendarDate } from "@malote/domain/calendar";
import { type RawBuilder, sql } from "kysely";
import { sqlApprovalsBy } from "../../controls/index.ts";
import { workShownMax } from "../../home/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { typeIn } from "../../platform/db/status-in.ts";
import type { DayFacts } from "../rules/day-facts.ts";
import { sqlHasExpired, sqlIsExpired, sqlIsUnpayable } from "../rules/rules-sql.ts";
import type { BatchRow } from "./store.ts";

type ShownBatch = Pick<BatchRow, "id" | "name" | "type" | "value" | "payments_count">;

const shown = sql`b.id, b.name, b.type, b.value, b.payments_count`;
/** Condition for `batches b`: people made the batch, so it is no system batch. */
const isOfPeople = sql`b.type IN ${typeIn(batchTypes)}`;

/** Condition for a batch `b`: one of its TEDs leaves today if it is approved before the cut-off. */
const hasTedForToday = (today: CalendarDate) => sql`EXISTS (
  SELECT FROM transfers t WHERE t.company_id = b.company_id AND t.batch_id = b.id AND t.payment_method = 'TED'
    AND coalesce(t.payment_date, ${today}::date) <= ${today}::date)`;

/** Condition for `batches b`: sent to approval and not yet approved by this person. */
const isToApprove = (tx: Tx, userId: string) => sql`
  b.company_id = ${tx.companyId} AND b.status = 'WAITING_APPROVAL' AND ${isOfPeople}
    AND NOT EXISTS (${sqlApprovalsBy(userId)} AND a.digest = b.approval_digest)`;
const isToFund = (tx: Tx) => sql`b.company_id = ${tx.companyId} AND b.status = 'WAITING' AND ${isOfPeople}`;
const hasFailures = (tx: Tx) => sql`
  b.company_id = ${tx.companyId} AND b.status = 'RECEIVED' AND b.failed_count > 0 AND ${isOfPeople}`;

/** Returns the batches of `listBatchesToApprove`, with the columns that decide whose approval counts. */
export async function listEditorsOfBatchesToApprove(
  tx: Tx,
  userId: string,
): Promise<Pick<BatchRow, "id" | "value" | "edited_by">[]> {
  const { rows } = await sql<Pick<BatchRow, "id" | "value" | "edited_by">>`
    SELECT b.id, b.value, b.edited_by FROM batches b WHERE ${isToApprove(tx, userId)}
    ORDER BY b.created_at, b.id LIMIT ${workShownMax}
  `.execute(tx);
  return rows;
}

/** Returns the batches that this person has not approved yet, oldest first. */
export async function listBatchesToApprove(
  tx: Tx,
  userId: string,
  today: CalendarDate,
): Promise<(ShownBatch & Pick<BatchRow, "edited_by" | "created_by_name"> & { has_ted_today: boolean })[]> {
  const { rows } = await sql<
    ShownBatch & Pick<BatchRow, "edited_by" | "created_by_name"> & { has_ted_today: boolean }
  >`
    SELECT ${shown}, b.edited_by, b.created_by_name, ${hasTedForToday(today)} AS has_ted_today FROM batches b
    WHERE ${isToApprove(tx, userId)}
    ORDER BY b.created_at, b.id LIMIT ${workShownMax}
  `.execute(tx);
  return rows;
}

/** Returns the batches that wait for money, in the order of the queue. `before` is the total of the batches ahead. */
export async function listBatchesToFund(
  tx: Tx,
  today: CalendarDate,
): Promise<(ShownBatch & { before: number; has_ted_today: boolean })[]> {
  const { rows } = await sql<ShownBatch & { before: number; has_ted_today: boolean }>`
    SELECT ${shown}, ${hasTedForToday(today)} AS has_ted_today,
      coalesce(sum(b.value) OVER (ORDER BY b.waiting_since, b.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::bigint AS before
    FROM batches b WHERE ${isToFund(tx)}
    ORDER BY b.waiting_since, b.id LIMIT ${workShownMax}
  `.execute(tx);
  return rows;
}

const countFirst = async (tx: Tx, rows: RawBuilder<unknown>): Promise<number> =>
  onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM (SELECT FROM batches b WHERE ${rows} LIMIT ${workShownMax}) found
    `.execute(tx),
  ).count;

export const countBatchesToFund = (tx: Tx): Promise<number> => countFirst(tx, isToFund(tx));
export const countBatchesWithFailures = (tx: Tx): Promise<number> => countFirst(tx, hasFailures(tx));

/**
 * Returns batches with failed payments that were neither corrected nor returned, newest first. `value` is the total of
 * those payments.
 */
export async function listBatchesWithFailures(
  tx: Tx,
): Promise<(ShownBatch & Pick<BatchRow, "failed_count">)[]> {
  const { rows } = await sql<ShownBatch & Pick<BatchRow, "failed_count">>`
    SELECT b.id, b.name, b.type, b.payments_count, b.failed_count,
      (SELECT coalesce(sum(t.value), 0)::bigint FROM transfers t
        WHERE t.company_id = b.company_id AND t.batch_id = b.id AND t.status = 'FAILED') AS value
    FROM batches b WHERE ${hasFailures(tx)}
    ORDER BY b.created_at DESC, b.id DESC LIMIT ${workShownMax}
  `.execute(tx);
  return rows;
}

/** Newest drafts, the only ones that the home page examines. */
const newestDrafts = (tx: Tx) => sql`
  (SELECT * FROM batches b WHERE b.company_id = ${tx.companyId} AND b.status = 'DRAFT' AND ${isOfPeople}
    ORDER BY b.created_at DESC, b.id DESC LIMIT ${workShownMax})`;

/** Counts the newest drafts that have an expired payment. */
export async function countExpiredDrafts(tx: Tx, facts: DayFacts): Promise<number> {
  return onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM ${newestDrafts(tx)} b WHERE ${sqlHasExpired(facts)}
    `.execute(tx),
  ).count;
}

interface ExpiredDraft {
  late_count: number;
  /** Number of late payments that no other day helps. */
  unpayable_count: number;
  since: CalendarDate | null;
}

/** Returns drafts with payments whose day or hour has passed, newest first. `value` is the total of those payments. */
export async function listExpiredDrafts(tx: Tx, facts: DayFacts): Promise<(ShownBatch & ExpiredDraft)[]> {
  const { rows } = await sql<ShownBatch & ExpiredDraft>`
    SELECT b.id, b.name, b.type, b.payments_count, late.count AS late_count, late.unpayable_count, late.value, late.since
    FROM (SELECT * FROM ${newestDrafts(tx)} b WHERE ${sqlHasExpired(facts)}) b
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS count, count(*) FILTER (WHERE ${sqlIsUnpayable(facts)})::int AS unpayable_count,
        coalesce(sum(t.value), 0)::bigint AS value, min(t.payment_date) AS since
      FROM transfers t WHERE t.company_id = b.company_id AND t.batch_id = b.id AND ${sqlIsExpired(facts)}) late
    ORDER BY b.created_at DESC, b.id DESC
  `.execute(tx);
  return rows;
}

const payingShown = 6;

/** Returns batches whose payments are under way, newest first. */
export async function listBatchesBeingPaid(
  tx: Tx,
): Promise<(ShownBatch & Pick<BatchRow, "paid_count" | "failed_count">)[]> {
  const { rows } = await sql<ShownBatch & Pick<BatchRow, "paid_count" | "failed_count">>`
    SELECT ${shown}, b.paid_count, b.failed_count FROM batches b
    WHERE b.company_id = ${tx.companyId} AND b.status = 'RECEIVED' AND ${isOfPeople}
      AND b.paid_count + b.failed_count + b.returned_count < b.payments_count
    ORDER BY b.created_at DESC, b.id DESC LIMIT ${payingShown}
  `.execute(tx);
  return rows;
}

export interface DayOfOutflow {
  day: CalendarDate;
  reserved: number;
  unfunded: number;
}

/**
 * Returns the outflow per day from `today` until before `end`: reserved payments on the day they are sent, and batches
 * that wait for money on their payment date. A past date counts as today.
 */
export async function sumUpcoming(tx: Tx, today: CalendarDate, end: Date): Promise<DayOfOutflow[]> {
  const { rows } = await sql<DayOfOutflow>`
    WITH leaving AS (
      SELECT greatest((t.execute_at AT TIME ZONE 'America/Sao_Paulo')::date, ${today}::date) AS day, t.value, true AS is_reserved
      FROM transfers t
      WHERE t.company_id = ${tx.companyId} AND t.status IN ('RECEIVED', 'SCHEDULED') AND t.execute_at < ${end}
      UNION ALL
      SELECT greatest(coalesce(t.payment_date, ${today}::date), ${today}::date), t.value, false
      FROM batches b JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
      WHERE b.company_id = ${tx.companyId} AND b.status = 'WAITING' AND ${isOfPeople}
        AND coalesce(t.payment_date, ${today}::date) < (${end}::timestamptz AT TIME ZONE 'America/Sao_Paulo')::date)
    SELECT day, coalesce(sum(value) FILTER (WHERE is_reserved), 0)::bigint AS reserved,
      coalesce(sum(value) FILTER (WHERE NOT is_reserved), 0)::bigint AS unfunded
    FROM leaving GROUP BY day ORDER BY day
  `.execute(tx);
  return rows;
}

/** Returns the names of the batches with these ids, including deleted ones. */
export async function readBatchNames(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM batches WHERE company_id = ${tx.companyId} AND id::text = ANY(${ids}::text[])
  `.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the name of a batch, also of a deleted one. */
export async function findBatchName(tx: Tx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM batches WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
  return rows[0]?.name;
}
