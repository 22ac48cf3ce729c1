/** Queries of payins for the list, its totals and its sheet. */
import { parseBrl } from "@malote/domain/money";
import { type PayinStatus, type PayinType, statusesOfFilter } from "@malote/domain/payin";
import { type RawBuilder, sql } from "kysely";
import { holdsWords } from "../platform/db/contains.ts";
import { type Cursor, cutPage } from "../platform/db/cursor.ts";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { type PayinRow, payinColumns, sqlIsVisible } from "./store.ts";

export interface PayinFilters {
  search?: string | undefined;
  created_at__gte?: string | undefined;
  created_at__lte?: string | undefined;
  status__in: readonly PayinStatus[];
  payment_type__in: readonly PayinType[];
}

/**
 * Finds parts of names, messages, link texts and the visible part of a masked tax id; ids and whole tax ids only in
 * full; amounts as people write them.
 */
function searchCondition(tx: Tx, search: string | undefined): RawBuilder<unknown> {
  if (!search) return sql`true`;
  const code = search.trim().toLowerCase();
  const bare = code.replace(/[./-]/g, "");
  const value = parseBrl(search) ?? null;
  const words = (text: RawBuilder<unknown>) => holdsWords(sql`fold_text(${text})`, search);
  return sql`(${holdsWords(sql`p.search_text`, search)}
    OR p.search_codes && ${[code, bare]}::text[] OR p.amount = ${value}::bigint
    OR (p.details ->> 'message' IS NOT NULL AND ${words(sql`p.details ->> 'message'`)})
    OR p.payment_link_id IN (SELECT l.id FROM payment_links l WHERE l.company_id = ${tx.companyId}
      AND (l.id::text = ${code} OR ${words(sql`l.name || E'\\n' || coalesce(l.description, '')`)})))`;
}

function matching(tx: Tx, filters: PayinFilters): RawBuilder<unknown> {
  const conditions = [sql`p.company_id = ${tx.companyId}`, sqlIsVisible];
  if (filters.created_at__gte) conditions.push(sql`p.created_at >= ${filters.created_at__gte}::timestamptz`);
  if (filters.created_at__lte) conditions.push(sql`p.created_at <= ${filters.created_at__lte}::timestamptz`);
  if (filters.status__in.length > 0) {
    conditions.push(sql`p.status = ANY(${statusesOfFilter(filters.status__in)}::text[])`);
  }
  if (filters.payment_type__in.length > 0) {
    conditions.push(sql`p.payment_type = ANY(${[...filters.payment_type__in]}::text[])`);
  }
  conditions.push(searchCondition(tx, filters.search));
  return sql.join(conditions, sql` AND `);
}

/** Counts up to `max`. */
export async function countPayins(tx: Tx, filters: PayinFilters, max: number): Promise<number> {
  return onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM (SELECT FROM payins p WHERE ${matching(tx, filters)} LIMIT ${max}) counted
    `.execute(tx),
  ).count;
}

/** Returns a page, the newest first. */
export async function listPageOfPayins(
  tx: Tx,
  filters: PayinFilters,
  { size, start }: { size: number; start: number },
): Promise<Pick<PayinRow, "id">[]> {
  const { rows } = await sql<Pick<PayinRow, "id">>`
    SELECT p.id FROM payins p WHERE ${matching(tx, filters)}
    ORDER BY p.created_at DESC, p.id DESC LIMIT ${size} OFFSET ${start}
  `.execute(tx);
  return rows;
}

/** Returns the payins beyond a cursor, in its direction; without a cursor the newest. One more than `size` may come. */
export async function listPayinsBeyond(
  tx: Tx,
  filters: PayinFilters,
  cursor: Cursor | undefined,
  size: number,
): Promise<PayinRow[]> {
  const { behind, order } = cutPage(cursor, size, sql`p.created_at`, sql`p.id`);
  const { rows } = await sql<PayinRow>`
    SELECT ${payinColumns} FROM payins p WHERE ${matching(tx, filters)} AND ${behind} ${order}
  `.execute(tx);
  return rows;
}

/** Returns the next payins of a sheet; those created after the request for the sheet are left out. */
export async function listPayinsAfter(
  tx: Tx,
  filters: PayinFilters,
  last: PayinRow | undefined,
  { requestedAt, max }: { requestedAt: Date; max: number },
): Promise<PayinRow[]> {
  const beyond = last
    ? sql`(p.created_at, p.id) < (${last.created_at}, ${last.id}::uuid)`
    : sql`p.created_at <= ${requestedAt}`;
  const { rows } = await sql<PayinRow>`
    SELECT ${payinColumns} FROM payins p WHERE ${matching(tx, filters)} AND ${beyond}
    ORDER BY p.created_at DESC, p.id DESC LIMIT ${max}
  `.execute(tx);
  return rows;
}

export async function sumPayins(
  tx: Tx,
  filters: PayinFilters,
): Promise<{ status: PayinStatus; amount: number; refunded: number; count: number }[]> {
  const { rows } = await sql<{ status: PayinStatus; amount: number; refunded: number; count: number }>`
    SELECT p.status, sum(p.amount)::bigint AS amount, sum(p.refunded_amount)::bigint AS refunded, count(*)::int AS count
    FROM payins p WHERE ${matching(tx, filters)} GROUP BY p.status
  `.execute(tx);
  return rows;
}
