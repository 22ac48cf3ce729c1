/**
 * Files that people ask for, that a job makes and that go after some days: how many of a company are in the making, and the
 * clock's housekeeping. Each kind is a table of its own, with `id`, `state`, `file_key`, `created_at` and `expires_at`.
 */
import type { AuditAction } from "@malote/domain/audit-trail";
import { sql } from "kysely";
import { audit } from "../audit.ts";
import type { Tx } from "../db/database.ts";
import { onlyRow } from "../db/only-row.ts";
import type { Queue } from "../jobs/jobs.ts";
import type { Parts } from "../parts.ts";
import { removeUnnamed } from "./remove-unnamed.ts";

export interface AskedFiles {
  table: string;
  /** What the table calls the two states; the others are `failed` and `expired`. */
  making: string;
  ready: string;
  /** Its data names the row in `requestId`. */
  job: Queue;
  /** Where the files lie. */
  folder: string;
  /** After them, one that no job stands for is given up. */
  makingHours: number;
  /** What the trail calls it that one was given up, and that its file went. */
  trail: { givenUp: AuditAction; removed: AuditAction };
}

/** One request of the company after another counts, so that two at once do not both take the last place. */
export async function countInTheMaking(tx: Tx, { table, making }: AskedFiles): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${table} ${tx.companyId}`}, 0))`.execute(tx);
  return onlyRow(
    await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM ${sql.table(table)}
      WHERE company_id = ${tx.companyId} AND state = ${making}
    `.execute(tx),
  ).count;
}

/** `giveUp` ends one as failed and tells whoever asked; false: somebody ended it before. */
export async function tidyAskedFiles(
  { db, clock, files }: Pick<Parts, "db" | "clock" | "files">,
  asked: AskedFiles,
  giveUp: (tx: Tx, id: string) => Promise<boolean>,
): Promise<void> {
  const { table, making, ready, trail } = asked;
  const now = clock.now();
  const companies = await db.withSystem((tx) =>
    sql<{ company_id: string }>`
      SELECT DISTINCT company_id FROM ${sql.table(table)} WHERE state IN (${making}, ${ready}) ORDER BY company_id
    `.execute(tx),
  );
  for (const { company_id } of companies.rows) {
    await db.withCompany(company_id, async (tx) => {
      for (const id of await abandoned(tx, asked, now)) {
        if (await giveUp(tx, id)) await audit(tx, { actor: "system", now }, trail.givenUp, id);
      }
    });
    // The record goes first: a kill in between leaves a file without one, which the next turn removes.
    const expired = await db.withCompany(company_id, async (tx) => {
      const rows = await expire(tx, asked, now);
      for (const { id } of rows) await audit(tx, { actor: "system", now }, trail.removed, id);
      return rows;
    });
    for (const { file_key } of expired) await files.remove(file_key);
  }
  await removeUnnamed(files, asked.folder, async (key) => {
    const { rows } = await db.withSystem((tx) =>
      sql`SELECT FROM ${sql.table(table)} WHERE file_key = ${key}`.execute(tx),
    );
    return rows.length > 0;
  });
}

/** In the making for too long, without a job that stands for them. */
async function abandoned(
  tx: Tx,
  { table, making, job, makingHours }: AskedFiles,
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT r.id FROM ${sql.table(table)} r
    WHERE r.company_id = ${tx.companyId} AND r.state = ${making}
      AND r.created_at < ${now}::timestamptz - ${makingHours} * interval '1 hour'
      AND NOT EXISTS (SELECT FROM pgboss.job j WHERE j.name = ${job}
        AND j.state IN ('created', 'retry', 'active') AND j.data ->> 'requestId' = r.id::text)
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Ends the links whose time is over, and answers the keys of their files. */
async function expire(tx: Tx, { table, ready }: AskedFiles, now: Date) {
  const { rows } = await sql<{ id: string; file_key: string }>`
    WITH over AS (
      SELECT id, file_key FROM ${sql.table(table)}
      WHERE company_id = ${tx.companyId} AND state = ${ready} AND expires_at <= ${now} FOR UPDATE
    )
    UPDATE ${sql.table(table)} r SET state = 'expired', file_key = NULL
    FROM over WHERE r.company_id = ${tx.companyId} AND r.id = over.id
    RETURNING r.id, over.file_key
  `.execute(tx);
  return rows;
}
