/** Reads the list of payins, its totals, a single payin, and its refunds. */
import * as contracts from "@malote/contracts/payins";
import { holds } from "@malote/contracts/policy";
import { countedMax } from "@malote/domain/limits";
import type { PayinStatus } from "@malote/domain/payin";
import { AppError } from "../platform/app-error.ts";
import { pageOf, readCursor } from "../platform/db/cursor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import { countPayins, listPageOfPayins, listPayinsBeyond, sumPayins } from "./list-store.ts";
import { payinOf, refundOf } from "./present.ts";
import { listRefundRows } from "./refund-store.ts";
import { findShown, type PayinRow, readShownPayins, type ShownPayin } from "./store.ts";

/** Finds the infractions of each of these Pix, by end-to-end id; the feature `contestations` implements this. */
export type FindInfractions = (
  tx: Tx,
  endToEndIds: readonly string[],
) => Promise<ReadonlyMap<string, readonly string[]>>;

export async function listPayins(
  tx: Tx,
  { query, now, actor }: Call<typeof contracts.listPayins>,
  findInfractions: FindInfractions,
) {
  const cursor = readCursor(query.page_cursor);
  const count = await countPayins(tx, query, countedMax + 1);
  const size = query.page_size;
  const pagination = { itemsPerPage: size, totalItems: count };
  if (!cursor && count <= countedMax) {
    const rows = await listPageOfPayins(tx, query, { size, start: query.page * size });
    return { items: await showTo(tx, rows, actor, now, findInfractions), metadata: { pagination } };
  }
  const found = await listPayinsBeyond(tx, query, cursor, size);
  const { rows, meta } = pageOf(found, size, cursor, ({ created_at: at, id }) => ({ at, id }));
  return {
    items: await showTo(tx, rows, actor, now, findInfractions),
    metadata: { pagination: { ...pagination, ...meta } },
  };
}

type Actor = Call<typeof contracts.listPayins>["actor"];

/** Returns a function for the infractions of a payin; it finds none for people who may not see them (MED-002). */
async function readInfractions(
  tx: Tx,
  rows: readonly ShownPayin[],
  actor: Actor,
  findInfractions: FindInfractions,
): Promise<(row: ShownPayin) => readonly string[]> {
  const endToEndIds = holds(actor, "infractions_manage")
    ? rows.flatMap((row) => row.end_to_end_id ?? [])
    : [];
  if (endToEndIds.length === 0) return () => [];
  const infractions = await findInfractions(tx, endToEndIds);
  return ({ end_to_end_id: id }) => (id && infractions.get(id)) || [];
}

async function showTo(
  tx: Tx,
  found: readonly Pick<PayinRow, "id">[],
  actor: Actor,
  now: Date,
  findInfractions: FindInfractions,
) {
  const rows = await readShownPayins(tx, found);
  const infractionsOf = await readInfractions(tx, rows, actor, findInfractions);
  return rows.map((row) => payinOf(row, infractionsOf(row), now));
}

/**
 * Total in which a payin of each status counts (PAY-013). A refund under way still counts as received: the money is the
 * company's until it leaves. Money that the network returns was blocked before and counts as blocked until then.
 */
const totalOf: Partial<Record<PayinStatus, contracts.PayinTotal>> = {
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

export async function readTotals(tx: Tx, { query }: Call<typeof contracts.readPayinTotals>) {
  const rows = await sumPayins(tx, query);
  const answer = Object.fromEntries(
    contracts.payinTotals.map((name) => [name, { total_amount: 0, count: 0 }]),
  ) as Record<contracts.PayinTotal, { total_amount: number; count: number }>;
  for (const { status, amount, refunded, count } of rows) {
    const name = totalOf[status];
    if (!name) throw new Error(`a status without a total: ${status}`);
    // A partially refunded payin counts in both totals: the refunded part there, the rest as received.
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

export async function readPayin(
  tx: Tx,
  { params, now, actor }: Call<typeof contracts.readPayin>,
  findInfractions: FindInfractions,
) {
  const row = await getPayin(tx, params.id);
  const infractionsOf = await readInfractions(tx, [row], actor, findInfractions);
  return payinOf(row, infractionsOf(row), now);
}

export async function listRefunds(tx: Tx, { params }: Call<typeof contracts.listPayinRefunds>) {
  const { id } = await getPayin(tx, params.id);
  const items = (await listRefundRows(tx, id)).map(refundOf);
  return {
    items,
    metadata: { pagination: { itemsPerPage: items.length, totalItems: items.length } },
  };
}
