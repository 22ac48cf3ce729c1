/** Scheduled housekeeping of uploads: ends abandoned and expired sheets and removes their files from the disk. */

import { errorText } from "@malote/contracts/errors";
import { sql } from "kysely";
import { listCompaniesWhere } from "../../company/index.ts";
import { audit } from "../../platform/audit.ts";
import { removeUnnamed } from "../../platform/files/remove-unnamed.ts";
import type { Services } from "../../platform/services.ts";
import { saveRefusal } from "./store.ts";
import { hasFile, listUnread, markUnneeded } from "./tidy-store.ts";

export async function tidySheets(services: Services): Promise<void> {
  for (const companyId of await listCompaniesWithSheets(services)) {
    await endUnread(services, companyId);
    await removeUnneeded(services, companyId);
  }
  await removeUnnamed(services.files, "sheets", (key) => isKept(services, key));
}

const listCompaniesWithSheets = ({ db }: Services): Promise<string[]> =>
  db.withSystem((tx) =>
    listCompaniesWhere(tx, sql`EXISTS (SELECT FROM sheets s WHERE s.company_id = c.company_id)`),
  );

/** Fails sheets that were not read in time, so that a waiting page gets an answer. Skips sheets with a live job. */
async function endUnread(services: Services, companyId: string): Promise<void> {
  const now = services.clock.now();
  await services.db.withCompany(companyId, async (tx) => {
    for (const id of await listUnread(tx, now)) {
      await saveRefusal(tx, id, {
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
    const rows = await markUnneeded(tx, now);
    for (const { id } of rows) await audit(tx, { actor: "system", now }, "sheet_file_removed", id);
    return rows.map((row) => row.file_key);
  });
  for (const key of keys) await services.files.remove(key);
}

async function isKept({ db }: Services, key: string): Promise<boolean> {
  const [, companyId = "", id = ""] = key.split("/");
  return db.withSystem((tx) => hasFile(tx, companyId, id));
}
