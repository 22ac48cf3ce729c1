/** Pages of the payments of one batch, 50 at a time. */
import { type BatchStatus, releasedBatchStatuses } from "@malote/domain/batch-status";
import { integrationIdMax, paymentsShownAtOnce } from "@malote/domain/limits";
import { statusesArrived, statusesReturned, statusesUnderWay } from "@malote/domain/payment-status";
import { statusesWithReceipt } from "@malote/domain/receipt";
import { type RawBuilder, sql } from "kysely";
import { AppError } from "../../platform/app-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { statusIn } from "../../platform/db/status-in.ts";
import type { PaymentKind } from "../payment-columns.ts";
import { type DayFacts, readDayFacts } from "../rules/day-facts.ts";
import { sqlIsOutdated } from "../rules/rules-sql.ts";
import type { PageStatus } from "./by-period-store.ts";
import type { FoundPage } from "./kind.ts";

/**
 * Maximum number of ids on a page (BAT-041): more would weigh as much as eighty pages. A call of its own returns all of
 * them.
 */
const failedIdsOnPage = 500;

/** Filter by statuses under the names of transfers; boletos have the same statuses under other names. */
export type BatchFilter = PageStatus | "WITH_ERRORS" | "WITH_WARNINGS";

export interface OpenedBatch {
  id: string;
  /** Number of payments, from the batch's own counter. */
  count: number;
  isReleased: boolean;
  facts: DayFacts;
}

/** Returns the batch for its lists. Throws `not_found` for a batch of another company or kind. */
export async function requireListedBatch(
  tx: Tx,
  id: string,
  types: readonly PaymentKind[],
  now: Date,
): Promise<OpenedBatch> {
  const [facts, { rows }] = await Promise.all([
    readDayFacts(tx, now),
    sql<{ payments_count: number; status: BatchStatus }>`
      SELECT payments_count, status FROM batches
      WHERE company_id = ${tx.companyId} AND id = ${id} AND status <> 'REMOVED' AND type = ANY(${[...types]}::text[])
    `.execute(tx),
  ]);
  const [batch] = rows;
  if (!batch) throw new AppError("not_found");
  const isReleased = releasedBatchStatuses.includes(batch.status);
  return { id, count: batch.payments_count, isReleased, facts };
}

/**
 * Condition for late payments. A released batch has none, so the condition is left out and PostgreSQL may use the index
 * of statuses.
 */
const isOutdated = ({ isReleased, facts }: OpenedBatch): RawBuilder<unknown> =>
  isReleased ? sql`false` : sqlIsOutdated(facts);

const isFailed = (batch: OpenedBatch): RawBuilder<unknown> =>
  batch.isReleased
    ? sql`t.status = 'FAILED'`
    : sql`(t.status = 'FAILED' OR t.errors IS NOT NULL OR ${isOutdated(batch)})`;

function hasStatus(
  batch: OpenedBatch,
  status: BatchFilter | undefined,
  countsAsFailed: RawBuilder<unknown>,
): RawBuilder<unknown> {
  switch (status) {
    case undefined:
      return sql`true`;
    case "WITH_ERRORS":
      return sql`(t.errors IS NOT NULL OR ${isOutdated(batch)})`;
    case "WITH_WARNINGS":
      return sql`t.warnings IS NOT NULL`;
    // A draft's payment with errors counts as failed (TRF-010).
    case "FAILED":
      return sql`(t.status = 'FAILED' OR t.errors IS NOT NULL OR ${isOutdated(batch)} OR ${countsAsFailed})`;
    case "TRANSFERRED":
      return sql`t.status IN ${statusIn(statusesArrived)}`;
    case "RECEIVED":
      return sql`t.status IN ${statusIn(statusesUnderWay)}`;
    case "RETURNED":
      return sql`t.status IN ${statusIn(statusesReturned)}`;
    default:
      return sql`t.status = ${status}`;
  }
}

export interface PageRequest {
  status: BatchFilter | undefined;
  search: RawBuilder<unknown> | undefined;
  countsAsFailed: RawBuilder<unknown>;
  page: number;
}

export async function listPageOfBatch(
  tx: Tx,
  batch: OpenedBatch,
  { status, search, countsAsFailed, page }: PageRequest,
): Promise<FoundPage> {
  if (!status && !search) return { ids: await listIdsOfPage(tx, batch.id, page), count: batch.count };
  const matches = sql`${hasStatus(batch, status, countsAsFailed)} AND ${search ?? sql`true`}`;
  return findMatching(tx, batch.id, matches, page);
}

/** Returns a page of a batch's payments with receipts (BAT-028). */
export const listPageWithReceipts = (tx: Tx, batchId: string, page: number): Promise<FoundPage> =>
  findMatching(tx, batchId, sql`t.status = ANY(${[...statusesWithReceipt]}::text[])`, page);

/** Returns the ids of a page. The earlier pages are skipped in the index. */
export async function listIdsOfPage(tx: Tx, batchId: string, page: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT t.id FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId}
    ORDER BY t.position, t.id LIMIT ${paymentsShownAtOnce} OFFSET ${page * paymentsShownAtOnce}
  `.execute(tx);
  return rows.map((row) => row.id);
}

/** Returns a page of the matching payments and their count, from one scan of the batch. */
async function findMatching(
  tx: Tx,
  batchId: string,
  matches: RawBuilder<unknown>,
  page: number,
): Promise<FoundPage> {
  return onlyRow(
    await sql<FoundPage>`
    WITH found AS MATERIALIZED (
      SELECT t.id, t.position FROM transfers t
      WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND ${matches})
    SELECT (SELECT count(*) FROM found)::int AS count,
      ARRAY(SELECT id FROM found
        ORDER BY position, id LIMIT ${paymentsShownAtOnce} OFFSET ${page * paymentsShownAtOnce}) AS ids
  `.execute(tx),
  );
}

export async function readSummaryOfFailed(
  tx: Tx,
  batch: OpenedBatch,
): Promise<{ count: number; value: number; ids: string[] }> {
  return onlyRow(
    await sql<{ count: number; value: number; ids: string[] }>`
      WITH failed AS MATERIALIZED (
        SELECT t.id, t.value FROM transfers t
        WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batch.id} AND ${isFailed(batch)})
      SELECT count(*)::int AS count, coalesce(sum(f.value), 0)::bigint AS value,
        ARRAY(SELECT id FROM failed LIMIT ${failedIdsOnPage}) AS ids
      FROM failed f
    `.execute(tx),
  );
}

export async function listFailed(
  tx: Tx,
  batch: OpenedBatch,
): Promise<{ id: string; value: number | null }[]> {
  const { rows } = await sql<{ id: string; value: number | null }>`
    SELECT t.id, t.value FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batch.id} AND ${isFailed(batch)}
  `.execute(tx);
  return rows;
}

/**
 * Returns the failed payments to a receiver, in the order of the batch. The receiver's id derives from its key or
 * account (BAT-082).
 */
export async function listFailedIdsTo(tx: Tx, batchId: string, receiverId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT t.id FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = 'FAILED'
      AND receiver_id(t) = ${receiverId}
    ORDER BY t.position, t.id
  `.execute(tx);
  return rows.map((row) => row.id);
}

/**
 * Returns whether a payment is not scheduled. The query is in the order of the batch: for a bare EXISTS PostgreSQL
 * reads the table until it meets the batch.
 */
export async function isAnyUnscheduled(tx: Tx, batchId: string): Promise<boolean> {
  return onlyRow(
    await sql<{ any: boolean }>`
      SELECT (SELECT true FROM transfers t
        WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status <> 'SCHEDULED'
        ORDER BY t.position, t.id LIMIT 1) IS NOT NULL AS any
    `.execute(tx),
  ).any;
}

export async function isIntegrationIdUsed(
  tx: Tx,
  integrationId: string,
  except: string | undefined,
): Promise<boolean> {
  return onlyRow(
    await sql<{ used: boolean }>`
    SELECT EXISTS (
      SELECT FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
      WHERE t.company_id = ${tx.companyId} AND t.integration_id = ${integrationId}
        AND length(t.integration_id) <= ${sql.lit(integrationIdMax)} AND b.status <> 'REMOVED'
        AND (${except ?? null}::uuid IS NULL OR t.id <> ${except ?? null}::uuid)
    ) AS used
  `.execute(tx),
  ).used;
}
