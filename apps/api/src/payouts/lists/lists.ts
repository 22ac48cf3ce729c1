/** Lists of payments, each one function for every kind: of a batch, over all batches, and with receipts. */
import { pageSize, paymentsShownAtOnce } from "@malote/domain/limits";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import {
  filterByStatus,
  listByPeriod,
  listPaymentsWithReceipts,
  type PageStatus,
  type PaymentFilter,
} from "./by-period-store.ts";
import { type ListedKind, showPage, showPayments } from "./kind.ts";
import {
  type BatchFilter,
  listIdsOfPage,
  listPageOfBatch,
  listPageWithReceipts,
  type OpenedBatch,
} from "./store.ts";

interface BatchListRequest {
  status?: BatchFilter | undefined;
  search?: string | undefined;
  page: number;
}

export async function listOfBatch<Row extends { id: string }, Facts, Shown>(
  tx: Tx,
  kind: ListedKind<Row, Facts, Shown>,
  batch: OpenedBatch,
  { status, search, page }: BatchListRequest,
  now: Date,
) {
  const found = await listPageOfBatch(tx, batch, {
    status,
    search: search ? kind.heldInBatch(search, now) : undefined,
    countsAsFailed: kind.countsAsFailed,
    page,
  });
  return showPage(tx, kind, found, paymentsShownAtOnce, now);
}

export async function readFirstOfBatch<Row extends { id: string }, Facts, Shown>(
  tx: Tx,
  kind: ListedKind<Row, Facts, Shown>,
  batchId: string,
  now: Date,
): Promise<Shown[]> {
  return showPayments(tx, kind, await listIdsOfPage(tx, batchId, 0), now);
}

/** Returns a page of a batch's payments with receipts (BAT-028). */
export async function listWithReceipt<Row extends { id: string }, Facts, Shown>(
  tx: Tx,
  kind: ListedKind<Row, Facts, Shown>,
  batchId: string,
  page: number,
  now: Date,
) {
  return showPage(tx, kind, await listPageWithReceipts(tx, batchId, page), paymentsShownAtOnce, now);
}

interface SearchAndBank {
  search?: string | undefined;
  bankId?: string | undefined;
}

/** Combines search and bank into one condition; undefined when neither is requested. */
export function searchAndBankCondition(
  kind: Pick<ListedKind<{ id: string }, unknown, unknown>, "heldOverAll" | "ofBank">,
  { search, bankId }: SearchAndBank,
  now: Date,
): RawBuilder<unknown> | undefined {
  const conditions = [
    ...(search ? [kind.heldOverAll(search, now)] : []),
    ...(bankId ? [kind.ofBank(bankId)] : []),
  ];
  return conditions.length > 0 ? sql.join(conditions, sql` AND `) : undefined;
}

interface ListRequest extends SearchAndBank {
  status?: PageStatus | undefined;
  initialDate: string;
  endDate: string;
}

const filterOf = (
  kind: Pick<ListedKind<{ id: string }, unknown, unknown>, "heldOverAll" | "ofBank">,
  request: ListRequest,
  now: Date,
): PaymentFilter => filterByStatus(request.status, searchAndBankCondition(kind, request, now));

/** Returns one page over all batches (TRF-051, BIL-032). */
export async function listOverAll<Row extends { id: string }, Facts, Shown>(
  tx: Tx,
  kind: ListedKind<Row, Facts, Shown>,
  request: ListRequest & { page: number },
  now: Date,
) {
  const { initialDate, endDate, page } = request;
  const period = { type: kind.type, initialDate, endDate };
  return showPage(
    tx,
    kind,
    await listByPeriod(tx, period, filterOf(kind, request, now), page),
    pageSize,
    now,
  );
}

/** Returns all payments of a filter with receipts (TRF-063, BIL-035). */
export async function listReceiptsOverAll<Row extends { id: string }, Facts, Shown>(
  tx: Tx,
  kind: ListedKind<Row, Facts, Shown>,
  request: ListRequest,
  now: Date,
) {
  const { initialDate, endDate } = request;
  const period = { type: kind.type, initialDate, endDate };
  return { data: await listPaymentsWithReceipts(tx, period, filterOf(kind, request, now)) };
}
