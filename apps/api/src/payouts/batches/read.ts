/** Read calls for batches: list, single batch, summary, flags, and the waiting page. */
import type * as contracts from "@malote/contracts/batches";
import { addDays, type CalendarDate, startOfDay } from "@malote/domain/calendar";
import { integrationIdMax } from "@malote/domain/limits";
import { centsMax, parseBrl } from "@malote/domain/money";
import { sql } from "kysely";
import { readAvailableBalance } from "../../ledger/index.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import type { Call } from "../../platform/http/serve.ts";
import { boletoKind } from "../boletos/listed.ts";
import { listWithReceipt } from "../lists/lists.ts";
import { paymentKinds } from "../payment-kinds.ts";
import { readTransferFacts } from "../transfers/facts.ts";
import { transferKind } from "../transfers/listed.ts";
import { countOutdatedPayments } from "./outdated-payments.ts";
import { batchOf } from "./present.ts";
import * as store from "./store.ts";

/** Batches per page: four rows of three cards. */
const batchesPerPage = 12;

export async function getBatch(tx: Tx, id: string): Promise<store.BatchRow> {
  const batch = await store.findBatch(tx, id);
  if (!batch) throw new AppError("not_found");
  return batch;
}

/** Returns the batch. Throws `not_found` when it is of the other kind. */
async function getBatchOfType(tx: Tx, id: string, type: store.BatchRow["type"]): Promise<store.BatchRow> {
  const batch = await getBatch(tx, id);
  if (batch.type !== type) throw new AppError("not_found");
  return batch;
}

/** Adds the issues of drafts that no row stores, for the kinds that count them on each read. */
async function addOutdatedCounts(
  tx: Tx,
  rows: readonly store.BatchRow[],
  now: Date,
): Promise<store.BatchRow[]> {
  const drafts = rows.filter(
    ({ status, type }) => status === "DRAFT" && paymentKinds[type].countsMistakesAnew,
  );
  if (drafts.length === 0) return [...rows];
  const facts = await readTransferFacts(tx, now);
  const more = new Map<string, number>();
  for (const draft of drafts) {
    const { expired, forbidden, repriced } = await countOutdatedPayments(tx, draft, facts);
    more.set(draft.id, expired + forbidden + repriced);
  }
  return rows.map((row) => ({ ...row, errors_count: row.errors_count + (more.get(row.id) ?? 0) }));
}

export async function listBatches(tx: Tx, { query, now }: Call<typeof contracts.listBatches>) {
  const { rows, count, value } = await store.listBatches(tx, {
    from: startOfDay(query.initialDate as CalendarDate),
    until: startOfDay(addDays(query.endDate as CalendarDate, 1)),
    status: query.status,
    search: query.search,
    searchCents: query.search ? parseBrl(query.search) : undefined,
    page: query.page,
    size: batchesPerPage,
  });
  return {
    data: (await addOutdatedCounts(tx, rows, now)).map(batchOf),
    summary: { count, value },
    metadata: { pagination: { itemsPerPage: batchesPerPage, totalItems: count } },
  };
}

export async function readBatch(tx: Tx, { params, now }: Call<typeof contracts.readBatch>) {
  const batch = await getBatch(tx, params.id);
  const [counted = batch] = await addOutdatedCounts(tx, [batch], now);
  return { ...batchOf(counted), ...(await paymentKinds[batch.type].first(tx, batch.id, now)) };
}

export async function readSummary(tx: Tx, { params }: Call<typeof contracts.readBatchSummary>) {
  const [batch, { byStatus, byMethod }, balance] = await Promise.all([
    getBatch(tx, params.id),
    store.sumTotals(tx, params.id),
    readAvailableBalance(tx),
  ]);
  const isOpen =
    batch.status === "DRAFT" || batch.status === "WAITING_APPROVAL" || batch.status === "WAITING";
  return {
    returned: batch.returned_value,
    by_status: byStatus,
    by_method: byMethod,
    balance,
    missing: isOpen ? Math.max(0, batch.value - balance) : 0,
  };
}

/** Returns problems that the hour or another batch may have caused after the payments were entered (BAT-005). */
export async function validateBatch(tx: Tx, { params, now }: Call<typeof contracts.validateBatch>) {
  const [batch, facts] = await Promise.all([getBatch(tx, params.id), readTransferFacts(tx, now)]);
  // Approvers get the same warnings as preparers.
  const isUnsent = batch.status === "DRAFT" || batch.status === "WAITING_APPROVAL";
  const newly = isUnsent
    ? await countOutdatedPayments(tx, batch, facts)
    : { expired: 0, forbidden: 0, repriced: 0 };
  const runsLater = isUnsent && (await paymentKinds[batch.type].anyRunsLater(tx, batch.id, facts));
  const found = await sql<{ expired: boolean; duplicated: boolean }>`
    SELECT
      EXISTS (SELECT FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batch.id}
        AND (t.errors @> '[{"code":"payment_date_expired"}]' OR t.errors @> '[{"code":"payment_time_expired"}]')) AS expired,
      EXISTS (SELECT FROM transfers t JOIN transfers o ON o.company_id = t.company_id
          AND o.integration_id = t.integration_id AND length(o.integration_id) <= ${sql.lit(integrationIdMax)}
          AND o.id <> t.id
        JOIN batches b ON b.company_id = o.company_id AND b.id = o.batch_id AND b.status <> 'REMOVED'
        WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batch.id}
          AND length(t.integration_id) <= ${sql.lit(integrationIdMax)}) AS duplicated
  `.execute(tx);
  const flags = onlyRow(found);
  return {
    hasTimeError: isUnsent && (flags.expired || newly.expired > 0),
    hasTimeWarning: runsLater,
    hasDuplicatedIntegrationId: isUnsent && flags.duplicated,
    errors_count: batch.errors_count + newly.expired + newly.forbidden + newly.repriced,
  };
}

export async function listWaiting(tx: Tx) {
  const [rows, balance] = await Promise.all([store.listWaiting(tx), readAvailableBalance(tx)]);
  const total = Math.min(
    rows.reduce((sum, row) => sum + row.value, 0),
    centsMax,
  );
  return { data: rows.map(batchOf), total, balance, missing: Math.max(0, total - balance) };
}

export async function readHasFailed(tx: Tx, { params }: Call<typeof contracts.readHasFailed>) {
  const batch = await getBatch(tx, params.id);
  return { data: batch.failed_count + batch.returned_count > 0 };
}

export async function listTransfersWithReceipt(
  tx: Tx,
  { params, query, now }: Call<typeof contracts.listTransfersWithReceipt>,
) {
  const batch = await getBatchOfType(tx, params.id, "TRANSFER");
  return listWithReceipt(tx, transferKind, batch.id, query.page, now);
}

export async function listBoletosWithReceipt(
  tx: Tx,
  { params, query, now }: Call<typeof contracts.listBoletosWithReceipt>,
) {
  const batch = await getBatchOfType(tx, params.id, "BILLET");
  return listWithReceipt(tx, boletoKind, batch.id, query.page, now);
}
