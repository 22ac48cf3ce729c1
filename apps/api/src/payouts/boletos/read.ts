/** Boletos of a batch as its screen shows them, 50 at a time. */
import type { listBillets, readDuplicatedBillet } from "@malote/contracts/boletos";
import { readBoletoCode } from "@malote/domain/boleto-code";
import { saoPauloDate } from "@malote/domain/calendar";
import type { Issue } from "@malote/domain/issues";
import { paymentsShownAtOnce } from "@malote/domain/limits";
import { parseBrl } from "@malote/domain/money";
import { statusesWithReceipt } from "@malote/domain/receipt";
import { statusesArrived, statusesReturned, statusesUnderWay } from "@malote/domain/transfer-status";
import { type RawBuilder, sql } from "kysely";
import { AppError } from "../../platform/app-error.ts";
import { contains } from "../../platform/db/contains.ts";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { statusIn } from "../../platform/db/status-in.ts";
import type { Call } from "../../platform/http/serve.ts";
import { sqlIsExpired, sqlIsForbidden } from "../rules/rules-sql.ts";
import { readFacts as readDayFacts } from "../transfers/facts.ts";
import { readFacts } from "./facts.ts";
import { boletoOf } from "./present.ts";
import { boletosById, draftOf, findBoleto, findWrongBoletos, isCodeUsed } from "./store.ts";

function statusCondition(status: string | undefined, isLate: RawBuilder<unknown>): RawBuilder<unknown> {
  switch (status) {
    case undefined:
      return sql`true`;
    case "WITH_ERRORS":
      return sql`(t.errors IS NOT NULL OR ${isLate})`;
    case "WITH_WARNINGS":
      return sql`t.warnings IS NOT NULL`;
    // A draft's card with errors counts as failed, as it does for transfers (TRF-010).
    case "FAILED":
      return sql`(t.status = 'FAILED' OR t.errors IS NOT NULL OR ${isLate})`;
    case "PAID":
      return sql`t.status IN ${statusIn(statusesArrived)}`;
    case "EXECUTING":
      return sql`t.status IN ${statusIn(statusesUnderWay)}`;
    case "RETURNED":
      return sql`t.status IN ${statusIn(statusesReturned)}`;
    default:
      return sql`t.status = ${status}`;
  }
}

/** So many digits count as a stretch of a code, fewer as a part of a text. */
const codeStretchMin = 5;

/** By description, integration id, value, or a stretch of the code, typed as a whole line or as the barcode. */
export function searchCondition(search: string | undefined, now: Date): RawBuilder<unknown> {
  if (!search) return sql`true`;
  const digits = /^[\d\s.-]+$/.test(search) ? search.replace(/\D/g, "") : "";
  const code = readBoletoCode(search, saoPauloDate(now))?.barcode ?? digits;
  return sql`(${contains(sql`fold_text(coalesce(t.description, ''))`, search)}
    OR ${contains(sql`fold_text(coalesce(t.integration_id, ''))`, search)}
    OR (${code.length >= codeStretchMin}::boolean AND t.barcode LIKE ${`%${code}%`})
    OR t.value = ${parseBrl(search) ?? null}::bigint)`;
}

async function pageOf(tx: Tx, matches: RawBuilder<unknown>, page: number, now: Date) {
  const found = onlyRow(
    await sql<{ ids: string[]; count: number }>`
    WITH found AS MATERIALIZED (
      SELECT t.id, t.position FROM transfers t
      WHERE t.company_id = ${tx.companyId} AND t.payment_method = 'BILLET' AND ${matches})
    SELECT (SELECT count(*) FROM found)::int AS count,
      ARRAY(SELECT id FROM found
        ORDER BY position, id LIMIT ${paymentsShownAtOnce} OFFSET ${page * paymentsShownAtOnce}) AS ids
  `.execute(tx),
  );
  const [facts, rows] = await Promise.all([readFacts(tx, now), boletosById(tx, found.ids)]);
  return {
    data: rows.map((row) => boletoOf(row, facts)),
    metadata: { pagination: { itemsPerPage: paymentsShownAtOnce, totalItems: found.count } },
  };
}

async function refuseOtherBatches(tx: Tx, batchId: string): Promise<void> {
  const { rows } = await sql`
    SELECT FROM batches
    WHERE company_id = ${tx.companyId} AND id = ${batchId} AND status <> 'REMOVED' AND type = 'BILLET'
  `.execute(tx);
  if (rows.length === 0) throw new AppError("not_found");
}

/** BAT-042. */
export async function list(tx: Tx, { params, query, now }: Call<typeof listBillets>) {
  await refuseOtherBatches(tx, params.id);
  const facts = await readDayFacts(tx, now);
  const isLate = sql`(${sqlIsExpired(facts)} OR ${sqlIsForbidden(facts)})`;
  const matches = sql`t.batch_id = ${params.id} AND ${statusCondition(query.status, isLate)}
    AND ${searchCondition(query.search, now)}`;
  return pageOf(tx, matches, query.page, now);
}

/** The wrong rows of a draft with their reasons, by the rules of now. */
export async function wrongBoletos(tx: Tx, batchId: string, now: Date) {
  const [facts, dayFacts] = await Promise.all([readFacts(tx, now), readDayFacts(tx, now)]);
  const rows = await findWrongBoletos(
    tx,
    batchId,
    sql`(${sqlIsExpired(dayFacts)} OR ${sqlIsForbidden(dayFacts)})`,
  );
  return rows.map((row) => ({
    cells: row.sheet_cells,
    draft: draftOf(row),
    errors: boletoOf(row, facts).errors as Issue[],
  }));
}

export async function firstBoletos(tx: Tx, batchId: string, now: Date) {
  const { data } = await pageOf(tx, sql`t.batch_id = ${batchId}`, 0, now);
  return data;
}

/** BAT-028. */
export async function boletosWithReceipt(tx: Tx, batchId: string, page: number, now: Date) {
  const matches = sql`t.batch_id = ${batchId} AND t.status = ANY(${[...statusesWithReceipt]}::text[])`;
  return pageOf(tx, matches, page, now);
}

export async function read(tx: Tx, id: string, now: Date) {
  const [row, facts] = await Promise.all([findBoleto(tx, id), readFacts(tx, now)]);
  if (!row) throw new AppError("not_found");
  return boletoOf(row, facts);
}

/** BIL-013. A code that cannot be read belongs to no boleto. */
export async function isDuplicated(tx: Tx, { query, now }: Call<typeof readDuplicatedBillet>) {
  const code = readBoletoCode(query.barcode, saoPauloDate(now));
  return { isDuplicated: code ? await isCodeUsed(tx, code.barcode, query.id) : false };
}
