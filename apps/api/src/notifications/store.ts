/** Notifications of a company, and the last position that each user has seen. */

import type { NotificationKind } from "@malote/contracts/notifications";
import { batchTypes } from "@malote/domain/batch-status";
import { sql } from "kysely";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { typeIn } from "../platform/db/status-in.ts";
import { wholeText } from "../platform/db/whole-text.ts";

export interface NewNotification {
  position: number;
  kind: NotificationKind;
  at: string;
  object_id: string;
  batch_id: string | null;
  amount: number | null;
  actor_id: string | null;
  actor_name: string | null;
  about: string | null;
}

/** Inserts notifications. A repeated event is a no-op. */
export async function insertNotifications(tx: Tx, given: readonly NewNotification[]): Promise<void> {
  await sql`
    INSERT INTO notifications (company_id, position, kind, at, object_id, batch_id, amount, actor_id, actor_name, about)
    SELECT ${tx.companyId}::uuid, n.position, n.kind, n.at, n.object_id, n.batch_id, n.amount, n.actor_id, n.actor_name, n.about
    FROM jsonb_to_recordset(${JSON.stringify(given, wholeText)}::jsonb)
      AS n (position bigint, kind text, at timestamptz, object_id uuid, batch_id uuid, amount bigint, actor_id uuid,
        actor_name text, about text)
    ON CONFLICT DO NOTHING
  `.execute(tx);
}

export interface NotificationRow extends Omit<NewNotification, "at" | "actor_id"> {
  at: Date;
  batch: { id: string; name: string; is_own: boolean; paid_count: number; failed_count: number } | null;
  is_new: boolean;
}

interface Reader {
  userId: string;
  kinds: readonly NotificationKind[];
  max: number;
}

/**
 * SQL condition on `notifications n`: excludes the user's own actions and batches that the product creates for single
 * payments.
 */
const isFor = (tx: Tx, { userId, kinds }: Pick<Reader, "userId" | "kinds">) => sql`
  n.company_id = ${tx.companyId} AND n.kind = ANY(${[...kinds]}::text[]) AND n.actor_id IS DISTINCT FROM ${userId}::uuid
  AND NOT EXISTS (SELECT FROM batches s WHERE s.company_id = n.company_id AND s.id = n.batch_id
    AND s.type NOT IN ${typeIn(batchTypes)})`;

const seenBy = (tx: Tx, userId: string) => sql`coalesce((
  SELECT s.position FROM notifications_seen s WHERE s.company_id = ${tx.companyId} AND s.user_id = ${userId}), 0)`;

/** Lists notifications, newest first. */
export async function listNotificationRows(tx: Tx, reader: Reader): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    SELECT n.position, n.kind, n.at, n.object_id, n.batch_id, n.amount, n.actor_name, n.about,
      (SELECT jsonb_build_object('id', b.id, 'name', b.name, 'is_own', b.created_by IS NOT DISTINCT FROM ${reader.userId}::uuid,
          'paid_count', b.paid_count, 'failed_count', b.failed_count)
        FROM batches b WHERE b.company_id = n.company_id AND b.id = n.batch_id AND b.status <> 'REMOVED') AS batch,
      n.position > ${seenBy(tx, reader.userId)} AS is_new
    FROM notifications n WHERE ${isFor(tx, reader)} ORDER BY n.position DESC LIMIT ${reader.max}
  `.execute(tx);
  return rows;
}

export async function countUnseen(tx: Tx, reader: Reader): Promise<number> {
  const { count } = onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM (
        SELECT FROM notifications n WHERE ${isFor(tx, reader)} AND n.position > ${seenBy(tx, reader.userId)} LIMIT ${reader.max}) f
    `.execute(tx),
  );
  return count;
}

/**
 * Stores the last seen position, which never decreases: a page that was opened earlier in another window does not make
 * notifications unseen again.
 */
export async function saveSeen(tx: Tx, userId: string, position: number): Promise<void> {
  await sql`
    INSERT INTO notifications_seen AS s (company_id, user_id, position)
    VALUES (${tx.companyId}, ${userId}, least(${position}::bigint, (
      SELECT coalesce(max(n.position), 0) FROM notifications n WHERE n.company_id = ${tx.companyId})))
    ON CONFLICT (company_id, user_id) DO UPDATE SET position = greatest(s.position, excluded.position)
  `.execute(tx);
}

export async function deleteOldNotifications(tx: AnyTx, before: Date): Promise<void> {
  await sql`DELETE FROM notifications WHERE at < ${before}`.execute(tx);
}
