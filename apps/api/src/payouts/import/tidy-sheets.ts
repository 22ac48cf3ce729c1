/** Scheduled housekeeping of uploads: ends abandoned and expired sheets and removes their files from the disk. */

import { errorText } from "@malote/contracts/errors";
import { sheetsKept } from "@malote/domain/limits";
import { sql } from "kysely";
import { listCompaniesWhere } from "../../company/index.ts";
import { audit } from "../../platform/audit.ts";
import type { Tx } from "../../platform/db/database.ts";
import { removeUnnamed } from "../../platform/files/remove-unnamed.ts";
import { sqlHasLiveJob } from "../../platform/jobs/live-job.ts";
import type { Services } from "../../platform/services.ts";
import { noteRefusal } from "./store.ts";

const hourMs = 3_600_000;

export async function tidySheets(services: Services): Promise<void> {
  for (const companyId of await companiesWithSheets(services)) {
    await endUnread(services, companyId);
    await removeUnneeded(services, companyId);
  }
  await removeUnnamed(services.files, "sheets", (key) => isKept(services, key));
}

const companiesWithSheets = ({ db }: Services): Promise<string[]> =>
  db.withSystem((tx) =>
    listCompaniesWhere(tx, sql`EXISTS (SELECT FROM sheets s WHERE s.company_id = c.company_id)`),
  );

/** Fails sheets that were not read in time, so that a waiting page gets an answer. Skips sheets with a live job. */
async function endUnread(services: Services, companyId: string): Promise<void> {
  const now = services.clock.now();
  await services.db.withCompany(companyId, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM sheets
      WHERE company_id = ${companyId} AND state = 'reading' AND created_at < ${before(now, sheetsKept.readingHours)}
        AND NOT ${sqlHasLiveJob("import-sheet", sql`j.data ->> 'sheetId' = sheets.id::text`)}
    `.execute(tx);
    for (const { id } of rows) {
      await noteRefusal(tx, id, {
        code: "sheet_import_failed",
        data: null,
        message: errorText("sheet_import_failed"),
      });
      await audit(tx, { actor: "system", now }, "sheet_given_up", id);
    }
  });
}

/**
 * Marks the file as removed before it is removed: a kill in between leaves a file without a record, which the next run
 * removes.
 */
async function removeUnneeded(services: Services, companyId: string): Promise<void> {
  const now = services.clock.now();
  const keys = await services.db.withCompany(companyId, async (tx) => {
    const { rows } = await unneededSheets(tx, now);
    for (const { id } of rows) await audit(tx, { actor: "system", now }, "sheet_file_removed", id);
    return rows.map((row) => row.file_key);
  });
  for (const key of keys) await services.files.remove(key);
}

const unneededSheets = (tx: Tx, now: Date) =>
  sql<{ id: string; file_key: string }>`
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

async function isKept({ db }: Services, key: string): Promise<boolean> {
  const [, companyId, id] = key.split("/");
  const { rows } = await db.withSystem((tx) =>
    sql`
      SELECT FROM sheets WHERE company_id::text = ${companyId} AND id::text = ${id} AND file_removed_at IS NULL
    `.execute(tx),
  );
  return rows.length > 0;
}

const before = (now: Date, hours: number) => new Date(now.getTime() - hours * hourMs);
