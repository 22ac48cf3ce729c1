/** Receivables as the list and the report filter them. */
import type * as contracts from "@malote/contracts/card-receivables";
import { parseBrl } from "@malote/domain/money";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";

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

export async function listPage(
  tx: Tx,
  filters: ReceivableFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<ReceivableRow[]> {
  const { rows } = await sql<ReceivableRow>`
    SELECT ${receivableColumns} FROM card_receivables r WHERE ${matching(tx, filters)}
    ORDER BY ${shownDate} DESC, r.id DESC
    LIMIT ${limit} OFFSET ${offset}
  `.execute(tx);
  return rows;
}

/** Counts the receivables of a filter, up to `max`. */
export async function countMatching(tx: Tx, filters: ReceivableFilters, max: number): Promise<number> {
  return onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM (SELECT FROM card_receivables r WHERE ${matching(tx, filters)} LIMIT ${max}) counted
    `.execute(tx),
  ).count;
}

export async function sumByStatus(
  tx: Tx,
  filters: ReceivableFilters,
): Promise<{ status: contracts.ReceivableStatus; amount: number }[]> {
  const { rows } = await sql<{ status: contracts.ReceivableStatus; amount: number }>`
    SELECT r.status, sum(r.net_amount)::bigint AS amount FROM card_receivables r WHERE ${matching(tx, filters)} GROUP BY r.status
  `.execute(tx);
  return rows;
}
