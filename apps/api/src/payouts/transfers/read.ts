/** Payments of a batch as its screen shows them, 50 at a time. */

import type { listFailedTransferIds, listTransfers } from "@malote/contracts/transfers";
import { type BatchStatus, releasedBatchStatuses } from "@malote/domain/batch-status";
import { integrationIdMax, paymentsShownAtOnce } from "@malote/domain/limits";
import { centsMax, parseBrl } from "@malote/domain/money";
import { statusesWithReceipt } from "@malote/domain/receipt";
import { statusesArrived, statusesReturned, statusesUnderWay } from "@malote/domain/transfer-status";
import { type RawBuilder, sql } from "kysely";
import { AppError } from "../../platform/app-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { statusIn } from "../../platform/db/status-in.ts";
import type { Call } from "../../platform/http/serve.ts";
import { knownHolder } from "../lookups/ask-keys.ts";
import { sqlIsExpired, sqlIsForbidden } from "../rules/rules-sql.ts";
import { readFacts } from "./facts.ts";
import { transferOf } from "./present.ts";
import { receiverHolds } from "./search.ts";
import { findTransfer, type TransferRow, transferColumns } from "./store.ts";

/** Ids that a page carries (BAT-041): more would weigh as much as eighty pages. All of them are a call of their own. */
const failedIdsOnPage = 500;

function statusCondition(status: string | undefined, isLate: RawBuilder<unknown>): RawBuilder<unknown> {
  switch (status) {
    case undefined:
      return sql`true`;
    case "WITH_ERRORS":
      return sql`(t.errors IS NOT NULL OR ${isLate})`;
    case "WITH_WARNINGS":
      return sql`t.warnings IS NOT NULL`;
    // A draft's card with errors counts as failed, and so does one whose receiver did (TRF-010).
    case "FAILED":
      return sql`(t.status = 'FAILED' OR t.errors IS NOT NULL OR ${isLate} OR (t.status = 'CREATED'
        AND receiver_destination(t.pix_key_type, t.pix_key, t.bank_ispb, t.agency, t.account, t.account_digit,
          t.account_type, t.tax_id) IN (
            SELECT r.destination FROM receivers r WHERE r.company_id = t.company_id AND r.status = 'FAILED')))`;
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

function searchCondition(search: string | undefined): RawBuilder<unknown> {
  if (!search) return sql`true`;
  const number = search.replace(/[^0-9A-Za-z]/g, "");
  const value = parseBrl(search) ?? null;
  return sql`(${receiverHolds(search)} OR (${number} <> '' AND t.account = ${number})
    OR t.value = ${value}::bigint)`;
}

/** As the batch itself counts them; a batch of another company is not found. */
async function countPayments(
  tx: Tx,
  batchId: string,
  types: readonly ("TRANSFER" | "BILLET")[],
): Promise<{ count: number; isReleased: boolean }> {
  const { rows } = await sql<{ payments_count: number; status: BatchStatus }>`
    SELECT payments_count, status FROM batches
    WHERE company_id = ${tx.companyId} AND id = ${batchId} AND status <> 'REMOVED' AND type = ANY(${[...types]}::text[])
  `.execute(tx);
  if (!rows[0]) throw new AppError("not_found");
  return { count: rows[0].payments_count, isReleased: releasedBatchStatuses.includes(rows[0].status) };
}

export async function list(tx: Tx, { params, query, now }: Call<typeof listTransfers>) {
  const [{ count: paymentsCount, isReleased }, facts] = await Promise.all([
    countPayments(tx, params.id, ["TRANSFER"]),
    readFacts(tx, now),
  ]);
  const isLate = isReleased ? sql`false` : sql`(${sqlIsExpired(facts)} OR ${sqlIsForbidden(facts)})`;
  // Left out where no payment can have one, so that the failed are read from their own index instead of all payments.
  const isWrong = isReleased ? sql`false` : sql`(t.errors IS NOT NULL OR ${isLate})`;
  const inBatch = sql`t.company_id = ${tx.companyId} AND t.batch_id = ${params.id}`;
  const [found, failed, unscheduled] = await Promise.all([
    query.status || query.search
      ? findMatching(
          tx,
          sql`${inBatch} AND ${statusCondition(query.status, isLate)} AND ${searchCondition(query.search)}`,
          query.page,
        )
      : idsOfPage(tx, inBatch, query.page).then((ids) => ({ ids, count: paymentsCount })),
    sql<{ count: number; value: number; ids: string[] }>`
      WITH failed AS MATERIALIZED (SELECT t.id, t.value FROM transfers t WHERE ${inBatch} AND (${isWrong} OR t.status = 'FAILED'))
      SELECT count(*)::int AS count, coalesce(sum(f.value), 0)::bigint AS value,
        ARRAY(SELECT id FROM failed LIMIT ${failedIdsOnPage}) AS ids
      FROM failed f
    `.execute(tx),
    // Asked in the order of the batch: for a bare EXISTS PostgreSQL reads the table until it meets the batch.
    sql<{ any: boolean }>`
      SELECT (SELECT true FROM transfers t WHERE ${inBatch} AND t.status <> 'SCHEDULED'
        ORDER BY t.position, t.id LIMIT 1) IS NOT NULL AS any
    `.execute(tx),
  ]);
  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns} FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.id = ANY(${found.ids}::uuid[])
    ORDER BY t.position, t.id
  `.execute(tx);
  return {
    data: rows.map((row) => transferOf(row, facts)),
    metadata: { pagination: { itemsPerPage: paymentsShownAtOnce, totalItems: found.count } },
    is_all_transfers_scheduled: paymentsCount > 0 && !onlyRow(unscheduled).any,
    failedTransfersSummary: onlyRow(failed),
  };
}

/** What 'Excluir falhas' takes out (BAT-046), of transfers and of boletos. */
export async function listFailedIds(tx: Tx, { params, now }: Call<typeof listFailedTransferIds>) {
  const [{ isReleased }, facts] = await Promise.all([
    countPayments(tx, params.id, ["TRANSFER", "BILLET"]),
    readFacts(tx, now),
  ]);
  const isWrong = isReleased
    ? sql`false`
    : sql`(t.errors IS NOT NULL OR ${sqlIsExpired(facts)} OR ${sqlIsForbidden(facts)})`;
  const { rows } = await sql<{ id: string; value: number | null }>`
    SELECT t.id, t.value FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${params.id} AND (${isWrong} OR t.status = 'FAILED')
  `.execute(tx);
  return {
    ids: rows.map(({ id }) => id),
    value: Math.min(
      rows.reduce((sum, { value }) => sum + (value ?? 0), 0),
      centsMax,
    ),
  };
}

/** The pages before are passed over in the index. */
async function idsOfPage(tx: Tx, inBatch: RawBuilder<unknown>, page: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT t.id FROM transfers t WHERE ${inBatch}
    ORDER BY t.position, t.id LIMIT ${paymentsShownAtOnce} OFFSET ${page * paymentsShownAtOnce}
  `.execute(tx);
  return rows.map((row) => row.id);
}

/** A page of the payments that match, and how many there are: the batch is looked through once for both. */
async function findMatching(
  tx: Tx,
  matches: RawBuilder<unknown>,
  page: number,
): Promise<{ ids: string[]; count: number }> {
  return onlyRow(
    await sql<{ ids: string[]; count: number }>`
    WITH found AS MATERIALIZED (SELECT t.id, t.position FROM transfers t WHERE ${matches})
    SELECT (SELECT count(*) FROM found)::int AS count,
      ARRAY(SELECT id FROM found
        ORDER BY position, id LIMIT ${paymentsShownAtOnce} OFFSET ${page * paymentsShownAtOnce}) AS ids
  `.execute(tx),
  );
}

export async function firstTransfers(tx: Tx, batchId: string, now: Date) {
  const [facts, { rows }] = await Promise.all([
    readFacts(tx, now),
    sql<TransferRow>`
      SELECT ${transferColumns} FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId}
      ORDER BY t.position, t.id LIMIT ${paymentsShownAtOnce}
    `.execute(tx),
  ]);
  return rows.map((row) => transferOf(row, facts));
}

/** BAT-028. */
export async function transfersWithReceipt(tx: Tx, batchId: string, page: number, now: Date) {
  const { ids, count } = await findMatching(
    tx,
    sql`t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.status = ANY(${[...statusesWithReceipt]}::text[])`,
    page,
  );
  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns} FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.id = ANY(${ids}::uuid[])
    ORDER BY t.position, t.id
  `.execute(tx);
  const facts = await readFacts(tx, now);
  return {
    data: rows.map((row) => transferOf(row, facts)),
    metadata: { pagination: { itemsPerPage: paymentsShownAtOnce, totalItems: count } },
  };
}

export async function read(tx: Tx, id: string, now: Date) {
  const [row, facts] = await Promise.all([findTransfer(tx, id), readFacts(tx, now)]);
  if (!row) throw new AppError("not_found");
  return transferOf(row, facts);
}

/** With its batch, which a page over all batches names (TRF-055). */
export async function readDetails(tx: Tx, id: string, now: Date) {
  const transfer = await read(tx, id, now);
  const { pix_key, cpf_cnpj } = transfer.destination_bank_account;
  const document = transfer.pix_key_validation?.cpf_cnpj ?? cpf_cnpj;
  const holder = pix_key === null ? undefined : await knownHolder(tx, pix_key, document);
  const found = await sql<{ name: string }>`
    SELECT name FROM batches WHERE company_id = ${tx.companyId} AND id = ${transfer.batch_id}
  `.execute(tx);
  return {
    ...transfer,
    Batch: { id: transfer.batch_id, name: onlyRow(found).name },
    key_holder: holder ?? null,
  };
}

/** Failed payments to one receiver, recognised by the id made of its key or account (BAT-082). */
export async function listFailedOf(tx: Tx, batchId: string, receiverId: string, now: Date) {
  await countPayments(tx, batchId, ["TRANSFER"]);
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
      WHERE t.company_id = ${tx.companyId} AND t.integration_id = ${integrationId}
        AND length(t.integration_id) <= ${sql.lit(integrationIdMax)} AND b.status <> 'REMOVED'
        AND (${except ?? null}::uuid IS NULL OR t.id <> ${except ?? null}::uuid)
    ) AS used
  `.execute(tx),
  ).used;
}
