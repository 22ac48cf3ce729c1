/**
 * Payments over all batches of a period, the newest batch first, each batch in the order of its payments (decision
 * 0023). The counters of the batches replace a recount: such a page costs the same at a thousand payments and at
 * millions.
 */
import { batchTypes, unreleasedBatchStatuses } from "@malote/domain/batch-status";
import { addDays, type CalendarDate, startOfDay } from "@malote/domain/calendar";
import { pageSize, receiptExports } from "@malote/domain/limits";
import { statusesArrived, statusesReturned, statusesUnderWay } from "@malote/domain/payment-status";
import { statusesWithReceipt } from "@malote/domain/receipt";
import { type RawBuilder, sql } from "kysely";
import { AppError } from "../../platform/app-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { statusIn, typeIn } from "../../platform/db/status-in.ts";
import type { PaymentKind } from "../payment-columns.ts";
import type { FoundPage } from "./kind.ts";

export interface Period {
  type: PaymentKind;
  initialDate: string;
  endDate: string;
}

/** Filter on rows of `transfers t` and `batches b`. */
export interface PaymentFilter {
  /** Condition on the payments themselves. */
  status: RawBuilder<unknown>;
  /** Number of payments of a batch with the status, when its counters hold it. */
  counted: RawBuilder<unknown> | undefined;
  /** Condition for search and bank, when requested. */
  further: RawBuilder<unknown> | undefined;
}

/** Statuses of transfers; boletos have the same ones under other names. */
export type PageStatus = "CREATED" | "SCHEDULED" | "RECEIVED" | "TRANSFERRED" | "FAILED" | "RETURNED";

export function filterByStatus(
  status: PageStatus | undefined,
  further: RawBuilder<unknown> | undefined,
): PaymentFilter {
  switch (status) {
    case undefined:
      return { status: sql`true`, counted: sql`b.payments_count`, further };
    case "CREATED":
      return {
        status: sql`t.status = 'CREATED'`,
        counted: sql`CASE WHEN b.status IN ${statusIn(unreleasedBatchStatuses)} THEN b.payments_count ELSE 0 END`,
        further,
      };
    case "TRANSFERRED":
      return { status: sql`t.status IN ${statusIn(statusesArrived)}`, counted: sql`b.paid_count`, further };
    case "FAILED":
      return { status: sql`t.status = 'FAILED'`, counted: sql`b.failed_count`, further };
    case "RETURNED":
      return {
        status: sql`t.status IN ${statusIn(statusesReturned)} AND ${mayHoldReturned}`,
        counted: undefined,
        further,
      };
    case "SCHEDULED":
      return { status: sql`t.status = 'SCHEDULED' AND ${isUnderWay}`, counted: undefined, further };
    case "RECEIVED":
      return {
        status: sql`t.status IN ${statusIn(statusesUnderWay)} AND ${isUnderWay}`,
        counted: undefined,
        further,
      };
  }
}

/** Condition on the batch that the status of its payments implies, so that finished batches are not scanned. */
const isUnderWay = sql`b.status = 'RECEIVED'`;
/**
 * Condition for batches that may hold returned payments. The counters do not cover payments on their way back, which
 * are neither paid nor failed.
 */
const mayHoldReturned = sql`b.status NOT IN ${statusIn(unreleasedBatchStatuses)}
  AND b.payments_count > b.paid_count + b.failed_count`;

function inPeriod(tx: Tx, { type, initialDate, endDate }: Period): RawBuilder<unknown> {
  if (endDate < initialDate) throw new AppError("invalid_request", { fields: ["endDate"] });
  const from = startOfDay(initialDate as CalendarDate);
  const until = startOfDay(addDays(endDate as CalendarDate, 1));
  // Status and types are worded as in the partial index `batches_by_creation`.
  return sql`b.company_id = ${tx.companyId} AND b.status <> 'REMOVED' AND b.type IN ${typeIn(batchTypes)}
    AND b.type = ${type} AND b.created_at >= ${from} AND b.created_at < ${until}`;
}

export function listByPeriod(
  tx: Tx,
  period: Period,
  conditions: PaymentFilter,
  page: number,
): Promise<FoundPage> {
  const { status, counted, further } = conditions;
  if (counted && !further) return listByBatchCounters(tx, period, status, counted, page * pageSize);
  return listByPayments(tx, period, further ? sql`${status} AND ${further}` : status, page * pageSize);
}

/** Finds the batches of the page by running sums of their counters, and reads the payments of only those. */
async function listByBatchCounters(
  tx: Tx,
  period: Period,
  status: RawBuilder<unknown>,
  counted: RawBuilder<unknown>,
  start: number,
): Promise<FoundPage> {
  return onlyRow(
    await sql<FoundPage>`
    WITH placed AS MATERIALIZED (
      SELECT b.id, b.created_at, n.count,
        sum(n.count) OVER (ORDER BY b.created_at DESC, b.id DESC) - n.count AS before
      FROM batches b CROSS JOIN LATERAL (SELECT ${counted} AS count) n
      WHERE ${inPeriod(tx, period)} AND n.count > 0
    )
    SELECT (SELECT coalesce(sum(count), 0) FROM placed)::int AS count,
      ARRAY(
        SELECT t.id FROM placed p CROSS JOIN LATERAL (
          SELECT t.id, t.position FROM transfers t
          WHERE t.company_id = ${tx.companyId} AND t.batch_id = p.id AND ${status}
          ORDER BY t.position, t.id LIMIT ${pageSize} OFFSET greatest(0, ${start} - p.before)
        ) t
        WHERE p.before < ${start + pageSize} AND p.before + p.count > ${start}
        ORDER BY p.created_at DESC, p.id DESC, t.position, t.id LIMIT ${pageSize}
      ) AS ids
  `.execute(tx),
  );
}

/** Scans the period once for the page and the count. */
async function listByPayments(
  tx: Tx,
  period: Period,
  matches: RawBuilder<unknown>,
  start: number,
): Promise<FoundPage> {
  return onlyRow(
    await sql<FoundPage>`
    WITH found AS MATERIALIZED (
      SELECT t.id, t.position, b.created_at, b.id AS batch_id
      FROM batches b JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
      WHERE ${inPeriod(tx, period)} AND ${matches}
    )
    SELECT (SELECT count(*) FROM found)::int AS count,
      ARRAY(SELECT id FROM found
        ORDER BY created_at DESC, batch_id DESC, position, id LIMIT ${pageSize} OFFSET ${start}) AS ids
  `.execute(tx),
  );
}

/**
 * Returns all payments of the filter that have a receipt, in the order of the list (TRF-063, BIL-035). Throws
 * `receipts_too_many` above the maximum of one file.
 */
export async function listPaymentsWithReceipts(
  tx: Tx,
  period: Period,
  { status, further = sql`true` }: PaymentFilter,
): Promise<{ id: string; value: number }[]> {
  const max = receiptExports.inOneFileMax;
  const { rows } = await sql<{ id: string; value: number }>`
    SELECT t.id, t.value
    FROM batches b JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
    WHERE ${inPeriod(tx, period)} AND b.paid_count > 0 AND t.status = ANY(${[...statusesWithReceipt]}::text[])
      AND ${status} AND ${further}
    ORDER BY b.created_at DESC, b.id DESC, t.position, t.id LIMIT ${max + 1}
  `.execute(tx);
  if (rows.length > max) throw new AppError("receipts_too_many", { max: max.toLocaleString("pt-BR") });
  return rows;
}

/** Position of a row in the list of a report; the next slice begins after the last row of the previous one. */
export interface ListPlace {
  id: string;
  position: number;
  batch_id: string;
  batch_created_at: Date;
}

export async function listNextByPeriod<Row extends ListPlace>(
  tx: Tx,
  period: Period,
  { status, further = sql`true` }: PaymentFilter,
  columns: RawBuilder<unknown>,
  last: ListPlace | undefined,
  size: number,
): Promise<Row[]> {
  const behind = last
    ? sql`(b.created_at, b.id) <= (${last.batch_created_at}::timestamptz, ${last.batch_id}::uuid)
        AND (b.id <> ${last.batch_id}::uuid OR (t.position, t.id) > (${last.position}::int, ${last.id}::uuid))`
    : sql`true`;
  const { rows } = await sql<Row>`
    SELECT ${columns}, b.created_at AS batch_created_at, b.name AS batch_name
    FROM batches b JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
    WHERE ${inPeriod(tx, period)} AND ${behind} AND ${status} AND ${further}
    ORDER BY b.created_at DESC, b.id DESC, t.position, t.id LIMIT ${size}
  `.execute(tx);
  return rows;
}

/** Returns whether the company never had a payment of this kind. */
export async function hasBlankslate(tx: Tx, type: Period["type"]): Promise<boolean> {
  const { any } = onlyRow(
    await sql<{ any: boolean }>`
    SELECT EXISTS (SELECT FROM batches WHERE company_id = ${tx.companyId} AND status <> 'REMOVED'
      AND type IN ${typeIn(batchTypes)} AND type = ${type} AND payments_count > 0) AS any
  `.execute(tx),
  );
  return !any;
}
