/** Keyset pagination: a page begins at a row and not at an offset, so that new rows shift none of its rows. */
import { type RawBuilder, sql } from "kysely";
import { AppError } from "../app-error.ts";

interface Place {
  at: Date;
  id: string;
}
/** First or last row of the neighbouring page, with the direction of the next page: older or newer rows. */
export interface Cursor extends Place {
  towards: "older" | "newer";
}

const pattern = /^(older|newer)_(\d{1,15})_([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

export function readCursor(text: string | undefined): Cursor | undefined {
  if (!text) return undefined;
  const [, towards, ms, id] = pattern.exec(text) ?? [];
  if (!towards || !id) throw new AppError("invalid_request", { fields: ["page_cursor"] });
  return { towards: towards as Cursor["towards"], at: new Date(Number(ms)), id };
}

const writeCursor = (towards: Cursor["towards"], { at, id }: Place) => `${towards}_${at.getTime()}_${id}`;

/**
 * Returns `WHERE` and `ORDER BY` of a page. The query reads one more row than the page shows, to detect the last page.
 */
export function cutPage(
  cursor: Cursor | undefined,
  size: number,
  at: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
): { behind: RawBuilder<unknown>; order: RawBuilder<unknown> } {
  const isNewer = cursor?.towards === "newer";
  const sign = isNewer ? sql`>` : sql`<`;
  const direction = isNewer ? sql`ASC` : sql`DESC`;
  return {
    behind: cursor ? sql`(${at}, ${id}) ${sign} (${cursor.at}::timestamptz, ${cursor.id}::uuid)` : sql`true`,
    order: sql`ORDER BY ${at} ${direction}, ${id} ${direction} LIMIT ${size + 1}`,
  };
}

/** Returns the rows of such a query, newest first, with the cursors of the neighbouring pages. */
export function pageOf<Row>(
  found: readonly Row[],
  size: number,
  cursor: Cursor | undefined,
  placeOf: (row: Row) => Place,
): { rows: Row[]; meta: { next: string | null; previous: string | null } } {
  const isNewer = cursor?.towards === "newer";
  const hasMore = found.length > size;
  const cut = found.slice(0, size);
  const rows = isNewer ? cut.toReversed() : cut;
  const [first, last] = [rows[0], rows.at(-1)];
  const hasOlder = isNewer || hasMore;
  const hasNewer = isNewer ? hasMore : cursor !== undefined;
  return {
    rows,
    meta: {
      next: hasOlder && last ? writeCursor("older", placeOf(last)) : null,
      previous: hasNewer && first ? writeCursor("newer", placeOf(first)) : null,
    },
  };
}
