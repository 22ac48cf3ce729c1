/**
 * Incidents and maintenances that the operator announces to all companies (SHL-047 to SHL-053), and whether the
 * sandbox shows them.
 */
import type { NewNotice, Notice } from "@malote/contracts/installation";
import { sql } from "kysely";
import type { AnyTx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { noteOperatorAction } from "./entries.ts";

type NoticeRow = Omit<Notice, "starts_at" | "ends_at"> & { starts_at: Date; ends_at: Date | null };

const noticeOf = (row: NoticeRow): Notice => ({
  ...row,
  starts_at: row.starts_at.toISOString(),
  ends_at: row.ends_at?.toISOString() ?? null,
});

/** Returns open incidents, newest first, then current and future maintenances, the next one first. */
export async function currentNotices(tx: AnyTx, now: Date): Promise<Notice[]> {
  const { rows } = await sql<NoticeRow>`
    SELECT id, kind, name, link, starts_at, ends_at FROM installation_notices
    WHERE (kind = 'incident' AND ends_at IS NULL) OR (kind = 'maintenance' AND ends_at > ${now})
    ORDER BY kind, CASE WHEN kind = 'incident' THEN -extract(epoch FROM starts_at) ELSE extract(epoch FROM starts_at) END, id
  `.execute(tx);
  return rows.map(noticeOf);
}

export async function announce(tx: AnyTx, given: NewNotice, now: Date): Promise<Notice> {
  const hours =
    given.kind === "maintenance"
      ? { starts_at: new Date(given.starts_at), ends_at: new Date(given.ends_at) }
      : { starts_at: now, ends_at: null };
  const made = { id: uuidv7(now.getTime()), kind: given.kind, name: given.name, link: given.link, ...hours };
  await sql`
    INSERT INTO installation_notices (id, kind, name, link, starts_at, ends_at)
    VALUES (${made.id}, ${made.kind}, ${made.name}, ${made.link}, ${made.starts_at}, ${made.ends_at})
  `.execute(tx);
  await noteOperatorAction(tx, "notice_announced", noticeOf(made), now);
  return noticeOf(made);
}

/** Ends an incident, or a maintenance early. Returns false when none has this id. */
export async function endNotice(tx: AnyTx, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    UPDATE installation_notices SET ends_at = ${now}, starts_at = least(starts_at, ${now}::timestamptz - interval '1 millisecond')
    WHERE id = ${id} AND coalesce(ends_at > ${now}, true) RETURNING id
  `.execute(tx);
  if (rows.length === 0) return false;
  await noteOperatorAction(tx, "notice_ended", { id }, now);
  return true;
}

export async function showsNoticesInSandbox(tx: AnyTx): Promise<boolean> {
  return onlyRow(
    await sql<{ shows: boolean }>`SELECT shows_notices_in_sandbox AS shows FROM installation`.execute(tx),
  ).shows;
}

export async function showNoticesInSandbox(tx: AnyTx, shows: boolean, now: Date): Promise<void> {
  await sql`UPDATE installation SET shows_notices_in_sandbox = ${shows}`.execute(tx);
  await noteOperatorAction(tx, "notices_in_sandbox_changed", { shows }, now);
}
