/** The list of payins, its totals, one of them, and its refunds. */
import {
  type listPayinRefunds,
  type listPayins,
  type PayinTotal,
  payinTotals,
  type readPayin,
  type readPayinTotals,
} from "@malote/contracts/payins";
import { holds } from "@malote/contracts/policy";
import { countedMax } from "@malote/domain/limits";
import { parseBrl } from "@malote/domain/money";
import { type PayinStatus, type PayinType, statusesOfFilter } from "@malote/domain/payin";
import { type RawBuilder, sql } from "kysely";
import { AppError } from "../platform/app-error.ts";
import { holdsWords } from "../platform/db/contains.ts";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import type { Call } from "../platform/http/serve.ts";
import { type Cursor, readCursor, writeCursor } from "./cursor.ts";
import { payinOf, refundOf } from "./present.ts";
import {
  findShown,
  isVisible,
  type PayinRow,
  payinColumns,
  refundsOf,
  type ShownPayin,
  showPayins,
} from "./store.ts";

export interface PayinFilters {
  search?: string | undefined;
  created_at__gte?: string | undefined;
  created_at__lte?: string | undefined;
  status__in: readonly PayinStatus[];
  payment_type__in: readonly PayinType[];
}

/**
 * Names, messages, what is sold and what is shown of a document in part; ids and whole documents as they are; amounts as
 * people write them.
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

export function matching(tx: Tx, filters: PayinFilters): RawBuilder<unknown> {
  const conditions = [sql`p.company_id = ${tx.companyId}`, isVisible];
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

export async function list(tx: Tx, { query, now, actor }: Call<typeof listPayins>) {
  const matches = matching(tx, query);
  const cursor = query.page_cursor !== undefined ? readCursor(query.page_cursor) : undefined;
  if (query.page_cursor !== undefined && !cursor) {
    throw new AppError("invalid_request", { fields: ["page_cursor"] });
  }
  const { count } = onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM (SELECT FROM payins p WHERE ${matches} LIMIT ${countedMax + 1}) counted
    `.execute(tx),
  );
  const size = query.page_size;
  const pagination = { itemsPerPage: size, totalItems: count };
  if (!cursor && count <= countedMax) {
    const { rows } = await sql<Pick<PayinRow, "id">>`
      SELECT p.id FROM payins p WHERE ${matches}
      ORDER BY p.created_at DESC, p.id DESC LIMIT ${size} OFFSET ${query.page * size}
    `.execute(tx);
    return { items: await shownTo(tx, rows, actor, now), metadata: { pagination } };
  }
  const { rows, next, previous } = await pageByCursor(tx, matches, cursor, size);
  return {
    items: await shownTo(tx, rows, actor, now),
    metadata: { pagination: { ...pagination, next, previous } },
  };
}

type Actor = Call<typeof listPayins>["actor"];
const seenBy = (actor: Actor) => ({ seesInfractions: holds(actor, "infractions_manage") });

const shownTo = async (tx: Tx, rows: readonly Pick<PayinRow, "id">[], actor: Actor, now: Date) =>
  (await showPayins(tx, rows)).map((row) => payinOf(row, now, seenBy(actor)));

const beyondPlace = ({ direction, at, id }: Cursor) =>
  direction === "newer"
    ? sql`(p.created_at, p.id) > (${at}::timestamptz, ${id}::uuid)`
    : sql`(p.created_at, p.id) < (${at}::timestamptz, ${id}::uuid)`;

async function pageByCursor(
  tx: Tx,
  matches: RawBuilder<unknown>,
  cursor: Cursor | undefined,
  size: number,
): Promise<{ rows: PayinRow[]; next: string | null; previous: string | null }> {
  const isBack = cursor?.direction === "newer";
  const beyond = cursor ? beyondPlace(cursor) : sql`true`;
  const order = isBack ? sql`p.created_at, p.id` : sql`p.created_at DESC, p.id DESC`;
  const { rows: found } = await sql<PayinRow>`
    SELECT ${payinColumns} FROM payins p WHERE ${matches} AND ${beyond} ORDER BY ${order} LIMIT ${size + 1}
  `.execute(tx);
  const goesOn = found.length > size;
  const rows = found.slice(0, size);
  if (isBack) rows.reverse();
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNext = isBack ? cursor !== undefined : goesOn;
  const hasPrevious = isBack ? goesOn : cursor !== undefined;
  return {
    rows,
    next: hasNext && last ? writeCursor("older", last) : null,
    previous: hasPrevious && first ? writeCursor("newer", first) : null,
  };
}

/**
 * PAY-013. A refund under way still counts as received: the money is the company's until it is gone. What the network
 * sends back was blocked before, and stays so until then.
 */
const totalOf: Partial<Record<PayinStatus, PayinTotal>> = {
  pending: "pending",
  active: "pending",
  authorized: "authorized",
  received: "received",
  refunding: "received",
  rejected: "blocked",
  partially_refunded: "refunded",
  refunded: "refunded",
  blocked: "blocked",
  canceled: "canceled",
  canceled_by_user: "canceled",
  canceled_by_psp: "canceled",
  unauthorized: "unauthorized",
  expired: "expired",
};

export async function totals(tx: Tx, { query }: Call<typeof readPayinTotals>) {
  const { rows } = await sql<{ status: PayinStatus; amount: number; refunded: number; count: number }>`
    SELECT p.status, sum(p.amount)::bigint AS amount, sum(p.refunded_amount)::bigint AS refunded, count(*)::int AS count
    FROM payins p WHERE ${matching(tx, query)} GROUP BY p.status
  `.execute(tx);
  const answer = Object.fromEntries(
    payinTotals.map((name) => [name, { total_amount: 0, count: 0 }]),
  ) as Record<PayinTotal, { total_amount: number; count: number }>;
  for (const { status, amount, refunded, count } of rows) {
    const name = totalOf[status];
    if (!name) throw new Error(`a status without a total: ${status}`);
    // Of a payin given back in part, the rest stays received: it is one of the given back and one of the received.
    const isPartly = status === "partially_refunded";
    answer[name].total_amount += isPartly ? refunded : amount;
    answer[name].count += count;
    if (isPartly) {
      answer.received.total_amount += amount - refunded;
      answer.received.count += count;
    }
  }
  return answer;
}

export async function getPayin(tx: Tx, id: string): Promise<ShownPayin> {
  const payin = await findShown(tx, id);
  if (!payin) throw new AppError("not_found");
  return payin;
}

export async function read(tx: Tx, { params, now, actor }: Call<typeof readPayin>) {
  return payinOf(await getPayin(tx, params.id), now, seenBy(actor));
}

export async function listRefunds(tx: Tx, { params }: Call<typeof listPayinRefunds>) {
  const { id } = await getPayin(tx, params.id);
  const items = (await refundsOf(tx, id)).map(refundOf);
  return {
    items,
    metadata: { pagination: { itemsPerPage: items.length, totalItems: items.length } },
  };
}
