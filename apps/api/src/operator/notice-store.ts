/** Notices of the installation, and whether the sandbox shows them, as rows. */
import type { Notice } from "@malote/contracts/installation";
import { sql } from "kysely";
import type { AnyTx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";

export type NoticeRow = Omit<Notice, "starts_at" | "ends_at"> & { starts_at: Date; ends_at: Date | null };

/** Returns open incidents, newest first, then current and future maintenances, the next one first. */
export async function listCurrent(tx: AnyTx, now: Date): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    SELECT id, kind, name, link, starts_at, ends_at FROM installation_notices
    WHERE (kind = 'incident' AND ends_at IS NULL) OR (kind = 'maintenance' AND ends_at > ${now})
    ORDER BY kind, CASE WHEN kind = 'incident' THEN -extract(epoch FROM starts_at) ELSE extract(epoch FROM starts_at) END, id
  `.execute(tx);
  return rows;
}

export async function insertNotice(tx: AnyTx, made: NoticeRow): Promise<void> {
  await sql`
    INSERT INTO installation_notices (id, kind, name, link, starts_at, ends_at)
    VALUES (${made.id}, ${made.kind}, ${made.name}, ${made.link}, ${made.starts_at}, ${made.ends_at})
  `.execute(tx);
}

/** Ends a notice now. Returns false when none that has not ended has this id. */
export async function markEnded(tx: AnyTx, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    UPDATE installation_notices SET ends_at = ${now}, starts_at = least(starts_at, ${now}::timestamptz - interval '1 millisecond')
    WHERE id = ${id} AND coalesce(ends_at > ${now}, true) RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

export async function readShowsNotices(tx: AnyTx): Promise<boolean> {
  return onlyRow(
    await sql<{ shows: boolean }>`SELECT shows_notices_in_sandbox AS shows FROM installation`.execute(tx),
  ).shows;
}

export async function setShowsNotices(tx: AnyTx, shows: boolean): Promise<void> {
  await sql`UPDATE installation SET shows_notices_in_sandbox = ${shows}`.execute(tx);
}
