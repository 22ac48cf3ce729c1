/** Payments of a batch as its screen shows them, 50 at a time. */

import type { listTransfers } from "@malote/contracts/transfers";
import { paymentsShownAtOnce } from "@malote/domain/limits";
import { parseBrl } from "@malote/domain/money";
import { type RawBuilder, sql } from "kysely";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import type { Call } from "../platform/http/serve.ts";
import { readFacts } from "./facts.ts";
import { transferOf } from "./present.ts";
import { expired, findTransfer, forbidden, type TransferRow, transferColumns } from "./store.ts";

/** Ids a summary carries: what one 'Excluir falhas' sends back. */
const failedIdsMax = 100_000;

function statusCondition(status: string | undefined, isLate: RawBuilder<unknown>): RawBuilder<unknown> {
  switch (status) {
    case undefined:
      return sql`true`;
    case "WITH_ERRORS":
      return sql`(t.errors IS NOT NULL OR ${isLate})`;
    case "WITH_WARNINGS":
      return sql`t.warnings IS NOT NULL`;
    // A draft's card with errors counts as failed (TRF-010).
    case "FAILED":
      return sql`(t.status = 'FAILED' OR t.errors IS NOT NULL OR ${isLate})`;
    case "TRANSFERRED":
      return sql`t.status IN ('TRANSFERRED', 'FINISHED')`;
    case "RECEIVED":
      return sql`t.status IN ('RECEIVED', 'EXECUTING', 'EM_REMESSA', 'FAILED_INTERNAL')`;
    case "RETURNED":
      return sql`t.status IN ('RETURNED', 'BEING_RETURNED', 'REQUESTED_REFUND')`;
    default:
      return sql`t.status = ${status}`;
  }
}

function searchCondition(search: string | undefined): RawBuilder<unknown> {
  if (!search) return sql`true`;
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
  const digits = search.replace(/[^0-9A-Za-z]/g, "");
  const value = parseBrl(search) ?? null;
  return sql`(t.name ILIKE ${pattern} OR t.pix_key ILIKE ${pattern} OR t.integration_id ILIKE ${pattern}
    OR (${digits} <> '' AND (t.tax_id LIKE ${`${digits.toUpperCase()}%`} OR t.account = ${digits}))
    OR t.value = ${value}::bigint)`;
}

/** As the batch itself counts them; a batch of another company is not found. */
async function countPayments(tx: Tx, batchId: string): Promise<number> {
  const { rows } = await sql<{ payments_count: number }>`
    SELECT payments_count FROM batches
    WHERE company_id = ${tx.companyId} AND id = ${batchId} AND status <> 'REMOVED'
  `.execute(tx);
  if (!rows[0]) throw new AppError("not_found");
  return rows[0].payments_count;
}

export async function list(tx: Tx, { params, query, now }: Call<typeof listTransfers>) {
  const paymentsCount = await countPayments(tx, params.id);
  const facts = await readFacts(tx, now);
  const isLate = sql`(${expired(facts)} OR ${forbidden(facts)})`;
  const inBatch = sql`t.company_id = ${tx.companyId} AND t.batch_id = ${params.id}`;
  const matches = sql`${inBatch} AND ${statusCondition(query.status, isLate)} AND ${searchCondition(query.search)}`;

  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns}
    -- The pages before are passed over in the index; only this one's rows are read.
    FROM (SELECT t.id FROM transfers t WHERE ${matches}
      ORDER BY t.position, t.id LIMIT ${paymentsShownAtOnce} OFFSET ${query.page * paymentsShownAtOnce}) page
    JOIN transfers t ON t.company_id = ${tx.companyId} AND t.id = page.id
    ORDER BY t.position, t.id
  `.execute(tx);
  const isFiltered = Boolean(query.status || query.search);
  const counted = isFiltered
    ? await sql<{ count: number }>`SELECT count(*)::int AS count FROM transfers t WHERE ${matches}`.execute(
        tx,
      )
    : undefined;
  const failed = await sql<{ count: number; value: number; ids: string[] }>`
    SELECT count(*)::int AS count, coalesce(sum(f.value), 0)::bigint AS value, coalesce(array_agg(f.id), '{}') AS ids
    FROM (SELECT t.id, t.value FROM transfers t
      WHERE ${inBatch} AND (t.errors IS NOT NULL OR t.status = 'FAILED' OR ${isLate}) LIMIT ${failedIdsMax}) f
  `.execute(tx);
  const unscheduled = await sql<{ any: boolean }>`
    SELECT EXISTS (SELECT FROM transfers t WHERE ${inBatch} AND t.status <> 'SCHEDULED') AS any
  `.execute(tx);
  const totalItems = counted ? onlyRow(counted).count : paymentsCount;
  return {
    data: rows.map((row) => transferOf(row, facts)),
    metadata: { pagination: { itemsPerPage: paymentsShownAtOnce, totalItems } },
    is_all_transfers_scheduled: paymentsCount > 0 && !onlyRow(unscheduled).any,
    failedTransfersSummary: onlyRow(failed),
  };
}

export async function firstTransfers(tx: Tx, batchId: string, now: Date) {
  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns} FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId}
    ORDER BY t.position, t.id LIMIT ${paymentsShownAtOnce}
  `.execute(tx);
  const facts = await readFacts(tx, now);
  return rows.map((row) => transferOf(row, facts));
}

export async function read(tx: Tx, id: string, now: Date) {
  const row = await findTransfer(tx, id);
  if (!row) throw new AppError("not_found");
  return transferOf(row, await readFacts(tx, now));
}

/** Failed payments to one receiver, told by the id made of its key or account (BAT-082). */
export async function listFailedOf(tx: Tx, batchId: string, receiverId: string, now: Date) {
  await countPayments(tx, batchId);
  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns} FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = 'FAILED'
      AND receiver_id(t) = ${receiverId}
    ORDER BY t.position, t.id
  `.execute(tx);
  const facts = await readFacts(tx, now);
  return rows.map((row) => transferOf(row, facts));
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
      WHERE t.company_id = ${tx.companyId} AND t.integration_id = ${integrationId} AND b.status <> 'REMOVED'
        AND (${except ?? null}::uuid IS NULL OR t.id <> ${except ?? null}::uuid)
    ) AS used
  `.execute(tx),
  ).used;
}
