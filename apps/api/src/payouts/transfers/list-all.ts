/** Transfers over all batches, as 'Suas transferências' shows them. */
import type { listAllTransfers, listTransfersWithReceipts } from "@malote/contracts/transfers";
import { pageSize } from "@malote/domain/limits";
import { parseBrl } from "@malote/domain/money";
import { type RawBuilder, sql } from "kysely";
import { contains } from "../../platform/db/contains.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import { readFacts } from "./facts.ts";
import { filterByStatus, type Period, pageByPeriod, paymentsWithReceipts } from "./payments-by-period.ts";
import { transferOf } from "./present.ts";
import { receiverHolds } from "./search.ts";
import { type TransferRow, transferColumns } from "./store.ts";

/** A number with or without its digit and marks. */
const isNumber = (number: RawBuilder<unknown>, digit: RawBuilder<unknown>, typed: string) =>
  sql`(${number} = ${typed} OR ${number} || coalesce(${digit}, '') = ${typed})`;

/** TRF-049: agency, account, value or batch; and what a person knows the receiver by. */
function searched(search: string): RawBuilder<unknown> {
  const number = search.replace(/[^0-9A-Za-z]/g, "").toUpperCase();
  return sql`(${contains(sql`b.search_text`, search)} OR ${receiverHolds(search)}
    OR (${number} <> '' AND (${isNumber(sql`t.agency`, sql`t.agency_digit`, number)}
      OR ${isNumber(sql`t.account`, sql`t.account_digit`, number)}))
    OR t.value = ${parseBrl(search) ?? null}::bigint)`;
}

/** Search and bank as one condition; undefined where neither is asked for. */
export function searchAndBankCondition(filter: {
  search?: string | undefined;
  bankId?: string | undefined;
}): RawBuilder<unknown> | undefined {
  const conditions = [
    ...(filter.search ? [searched(filter.search)] : []),
    ...(filter.bankId ? [sql`t.bank_ispb = ${filter.bankId}`] : []),
  ];
  return conditions.length > 0 ? sql.join(conditions, sql` AND `) : undefined;
}

const periodOf = ({ initialDate, endDate }: { initialDate: string; endDate: string }): Period => ({
  type: "TRANSFER",
  initialDate,
  endDate,
});

/** TRF-051. */
export async function listAll(tx: Tx, { query, now }: Call<typeof listAllTransfers>) {
  const conditions = filterByStatus(query.status, searchAndBankCondition(query));
  const { ids, count } = await pageByPeriod(tx, periodOf(query), conditions, query.page);
  const [facts, { rows }] = await Promise.all([
    readFacts(tx, now),
    sql<TransferRow & { batch_name: string }>`
      SELECT ${transferColumns}, b.name AS batch_name
      FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
      WHERE t.company_id = ${tx.companyId} AND t.id = ANY(${ids}::uuid[])
      ORDER BY array_position(${ids}::uuid[], t.id)
    `.execute(tx),
  ]);
  return {
    data: rows.map((row) => ({
      ...transferOf(row, facts),
      Batch: { id: row.batch_id, name: row.batch_name },
    })),
    metadata: { pagination: { itemsPerPage: pageSize, totalItems: count } },
  };
}

/** TRF-063. */
export async function listWithReceipts(tx: Tx, { query }: Call<typeof listTransfersWithReceipts>) {
  const conditions = filterByStatus(query.status, searchAndBankCondition(query));
  return { data: await paymentsWithReceipts(tx, periodOf(query), conditions) };
}
