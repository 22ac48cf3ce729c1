/** The receivables of card sales: the list and its totals. Payins create and settle them. */
import type * as contracts from "@malote/contracts/card-receivables";
import { countedMax } from "@malote/domain/limits";
import { parseBrl } from "@malote/domain/money";
import { type RawBuilder, sql } from "kysely";
import { readCompany } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import type { Call } from "../platform/http/serve.ts";

export interface ReceivableFilters {
  search?: string | undefined;
  receive_date__gte?: string | undefined;
  receive_date__lte?: string | undefined;
  status__in: readonly contracts.ReceivableStatus[];
}

export interface ReceivableRow {
  id: string;
  status: contracts.ReceivableStatus;
  installment: number;
  installments: number;
  sold_at: Date;
  authorization_code: string;
  gross_amount: number;
  net_amount: number;
  expected_receive_date: string;
  receive_date: string | null;
}

export const receivableColumns = sql`r.id, r.status, r.installment, r.installments, r.sold_at, r.authorization_code,
  r.gross_amount, r.net_amount, r.expected_receive_date, r.receive_date`;

/** The date that the list shows (CRD-008). */
export const shownDate = sql`coalesce(r.receive_date, r.expected_receive_date)`;

/** CRD-001: requires the company setting; the contract's policy checks only the flag `card-charge`. */
export async function expectCardCharge(tx: Tx): Promise<void> {
  const { settings } = await readCompany(tx);
  if (!settings.hasCardCharge) throw new AppError("forbidden");
}

/** CRD-002: searches by authorization code or value. */
function searchCondition(search: string | undefined): RawBuilder<unknown> {
  if (!search) return sql`true`;
  const value = parseBrl(search) ?? null;
  const start = `${search.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`(r.authorization_code LIKE ${start} OR r.gross_amount = ${value}::bigint OR r.net_amount = ${value}::bigint)`;
}

export function matching(tx: Tx, filters: ReceivableFilters): RawBuilder<unknown> {
  const conditions = [sql`r.company_id = ${tx.companyId}`, searchCondition(filters.search)];
  if (filters.receive_date__gte) conditions.push(sql`${shownDate} >= ${filters.receive_date__gte}::date`);
  if (filters.receive_date__lte) conditions.push(sql`${shownDate} <= ${filters.receive_date__lte}::date`);
  if (filters.status__in.length > 0) conditions.push(sql`r.status = ANY(${[...filters.status__in]}::text[])`);
  return sql.join(conditions, sql` AND `);
}

const receivableOf = (row: ReceivableRow): contracts.Receivable => ({
  id: row.id,
  status: row.status,
  transaction: {
    date: row.sold_at.toISOString(),
    installments: row.installments,
    installment: row.installment,
  },
  receive_date: row.receive_date,
  expected_receive_date: row.expected_receive_date,
  authorization_code: row.authorization_code,
  gross_amount: row.gross_amount,
  net_amount: row.net_amount,
});

/** Lists up to the counted maximum; a period or a status finds older receivables. */
export async function listReceivables(tx: Tx, { query }: Call<typeof contracts.listReceivables>) {
  await expectCardCharge(tx);
  const matches = matching(tx, query);
  const { page, page_size: size } = query;
  const [{ rows }, counted] = await Promise.all([
    sql<ReceivableRow>`
      SELECT ${receivableColumns} FROM card_receivables r WHERE ${matches}
      ORDER BY ${shownDate} DESC, r.id DESC
      LIMIT ${Math.min(size, Math.max(0, countedMax - page * size))} OFFSET ${Math.min(page * size, countedMax)}
    `.execute(tx),
    sql<{ count: number }>`
      SELECT count(*)::int AS count FROM (SELECT FROM card_receivables r WHERE ${matches} LIMIT ${countedMax}) counted
    `.execute(tx),
  ]);
  return {
    items: rows.map(receivableOf),
    metadata: { pagination: { itemsPerPage: size, totalItems: onlyRow(counted).count } },
  };
}

export async function totals(tx: Tx, { query }: Call<typeof contracts.readReceivableTotals>) {
  await expectCardCharge(tx);
  const { rows } = await sql<{ status: contracts.ReceivableStatus; amount: number }>`
    SELECT r.status, sum(r.net_amount)::bigint AS amount FROM card_receivables r WHERE ${matching(tx, query)} GROUP BY r.status
  `.execute(tx);
  const of = (status: contracts.ReceivableStatus) => ({
    total_amount: rows.find((row) => row.status === status)?.amount ?? 0,
  });
  return {
    scheduled: of("scheduled"),
    received: of("received"),
    canceled: of("canceled"),
    refunded: of("refunded"),
  };
}
