/** News of a company, and how far each person has looked. */
import type { NewsKind } from "@malote/contracts/news";
import { sql } from "kysely";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { wholeText } from "../platform/db/whole-text.ts";

export interface NewNews {
  position: number;
  kind: NewsKind;
  at: string;
  object_id: string;
  batch_id: string | null;
  amount: number | null;
  actor_id: string | null;
  actor_name: string | null;
  about: string | null;
}

/** A repeated event is recorded already, and its row is unchanged. */
export async function insertNews(tx: Tx, news: readonly NewNews[]): Promise<void> {
  await sql`
    INSERT INTO news (company_id, position, kind, at, object_id, batch_id, amount, actor_id, actor_name, about)
    SELECT ${tx.companyId}::uuid, n.position, n.kind, n.at, n.object_id, n.batch_id, n.amount, n.actor_id, n.actor_name, n.about
    FROM jsonb_to_recordset(${JSON.stringify(news, wholeText)}::jsonb)
      AS n (position bigint, kind text, at timestamptz, object_id uuid, batch_id uuid, amount bigint, actor_id uuid,
        actor_name text, about text)
    ON CONFLICT DO NOTHING
  `.execute(tx);
}

export interface NewsRow extends Omit<NewNews, "at" | "actor_id"> {
  at: Date;
  batch: { id: string; name: string; is_own: boolean; paid_count: number; failed_count: number } | null;
  is_new: boolean;
}

interface Reader {
  userId: string;
  kinds: readonly NewsKind[];
  max: number;
}

/** Of `news n`: what this person did is no news to them, and neither is what the product keeps as a batch of one. */
const isFor = (tx: Tx, { userId, kinds }: Pick<Reader, "userId" | "kinds">) => sql`
  n.company_id = ${tx.companyId} AND n.kind = ANY(${[...kinds]}::text[]) AND n.actor_id IS DISTINCT FROM ${userId}::uuid
  AND NOT EXISTS (SELECT FROM batches s WHERE s.company_id = n.company_id AND s.id = n.batch_id
    AND s.type NOT IN ('TRANSFER', 'BILLET'))`;

const seenBy = (tx: Tx, userId: string) => sql`coalesce((
  SELECT s.position FROM news_seen s WHERE s.company_id = ${tx.companyId} AND s.user_id = ${userId}), 0)`;

/** The newest first. */
export async function listNewsOf(tx: Tx, reader: Reader): Promise<NewsRow[]> {
  const { rows } = await sql<NewsRow>`
    SELECT n.position, n.kind, n.at, n.object_id, n.batch_id, n.amount, n.actor_name, n.about,
      (SELECT jsonb_build_object('id', b.id, 'name', b.name, 'is_own', b.created_by IS NOT DISTINCT FROM ${reader.userId}::uuid,
          'paid_count', b.paid_count, 'failed_count', b.failed_count)
        FROM batches b WHERE b.company_id = n.company_id AND b.id = n.batch_id AND b.status <> 'REMOVED') AS batch,
      n.position > ${seenBy(tx, reader.userId)} AS is_new
    FROM news n WHERE ${isFor(tx, reader)} ORDER BY n.position DESC LIMIT ${reader.max}
  `.execute(tx);
  return rows;
}

export async function countUnseen(tx: Tx, reader: Reader): Promise<number> {
  const { count } = onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM (
        SELECT FROM news n WHERE ${isFor(tx, reader)} AND n.position > ${seenBy(tx, reader.userId)} LIMIT ${reader.max}) f
    `.execute(tx),
  );
  return count;
}

/** Never back: a page opened before in another window does not make old news new again. */
export async function saveSeen(tx: Tx, userId: string, position: number): Promise<void> {
  await sql`
    INSERT INTO news_seen AS s (company_id, user_id, position)
    VALUES (${tx.companyId}, ${userId}, least(${position}::bigint, (
      SELECT coalesce(max(n.position), 0) FROM news n WHERE n.company_id = ${tx.companyId})))
    ON CONFLICT (company_id, user_id) DO UPDATE SET position = greatest(s.position, excluded.position)
  `.execute(tx);
}

export async function deleteOldNews(tx: AnyTx, before: Date): Promise<void> {
  await sql`DELETE FROM news WHERE at < ${before}`.execute(tx);
}
