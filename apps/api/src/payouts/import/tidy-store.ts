/** Sheets that the housekeeping ends, and files that it keeps. */
import { hourMs } from "@malote/domain/durations";
import { sheetsKept } from "@malote/domain/limits";
import { sql } from "kysely";
import type { AnyTx, Tx } from "../../platform/db/database.ts";
import { sqlHasLiveJob } from "../../platform/jobs/live-job.ts";

const before = (now: Date, hours: number) => new Date(now.getTime() - hours * hourMs);

/** Lists the company's sheets that were not read in time and have no live job. */
export async function listUnread(tx: Tx, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM sheets
    WHERE company_id = ${tx.companyId} AND state = 'reading' AND created_at < ${before(now, sheetsKept.readingHours)}
      AND NOT ${sqlHasLiveJob("import-sheet", sql`j.data ->> 'sheetId' = sheets.id::text`)}
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Marks the files that no one needs any more as removed, and returns them. */
export async function markUnneeded(tx: Tx, now: Date): Promise<{ id: string; file_key: string }[]> {
  const { rows } = await sql<{ id: string; file_key: string }>`
    UPDATE sheets s SET file_removed_at = ${now},
      state = CASE s.state WHEN 'uploaded' THEN 'cancelled' ELSE s.state END
    WHERE s.company_id = ${tx.companyId} AND s.file_removed_at IS NULL
      AND CASE WHEN s.state IN ('uploaded', 'refused', 'cancelled')
            THEN s.created_at < ${before(now, sheetsKept.unusedDays * 24)}
          WHEN s.state = 'imported'
            THEN s.created_at < ${before(now, sheetsKept.ofRemovedBatchDays * 24)} AND NOT EXISTS (
              SELECT FROM batches b
              WHERE b.company_id = s.company_id AND b.id = s.batch_id AND b.status <> 'REMOVED')
          ELSE false END
    RETURNING s.id, s.file_key
  `.execute(tx);
  return rows;
}

/** Returns whether a sheet still has its file. */
export async function hasFile(tx: AnyTx, companyId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM sheets WHERE company_id::text = ${companyId} AND id::text = ${id} AND file_removed_at IS NULL
  `.execute(tx);
  return rows.length > 0;
}
