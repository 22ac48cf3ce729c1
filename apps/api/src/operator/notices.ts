/**
 * Incidents and maintenances that the operator announces to all companies (SHL-047 to SHL-053), and whether the
 * sandbox shows them.
 */

import type { NewNotice, Notice } from "@malote/contracts/installation";
import { instantOrNull } from "@malote/contracts/wire";
import type { AnyTx } from "../platform/db/database.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { insertOperatorEntry } from "./entries.ts";
import { insertNotice, listCurrent, markEnded, type NoticeRow, setShowsNotices } from "./notice-store.ts";

const noticeOf = (row: NoticeRow): Notice => ({
  ...row,
  starts_at: row.starts_at.toISOString(),
  ends_at: instantOrNull(row.ends_at),
});

/** Returns open incidents, newest first, then current and future maintenances, the next one first. */
export async function listCurrentNotices(tx: AnyTx, now: Date): Promise<Notice[]> {
  return (await listCurrent(tx, now)).map(noticeOf);
}

export async function announce(tx: AnyTx, given: NewNotice, now: Date): Promise<Notice> {
  const hours =
    given.kind === "maintenance"
      ? { starts_at: new Date(given.starts_at), ends_at: new Date(given.ends_at) }
      : { starts_at: now, ends_at: null };
  const made = { id: uuidv7(now.getTime()), kind: given.kind, name: given.name, link: given.link, ...hours };
  await insertNotice(tx, made);
  await insertOperatorEntry(tx, "notice_announced", noticeOf(made), now);
  return noticeOf(made);
}

/** Ends an incident, or a maintenance early. Returns false when none has this id. */
export async function endNotice(tx: AnyTx, id: string, now: Date): Promise<boolean> {
  if (!(await markEnded(tx, id, now))) return false;
  await insertOperatorEntry(tx, "notice_ended", { id }, now);
  return true;
}

export async function showNoticesInSandbox(tx: AnyTx, shows: boolean, now: Date): Promise<void> {
  await setShowsNotices(tx, shows);
  await insertOperatorEntry(tx, "notices_in_sandbox_changed", { shows }, now);
}
