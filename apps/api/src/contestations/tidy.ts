/** The clock's housekeeping: links end, files that no row names go from the disk, and what nobody makes any more is told of. */
import { infractionExportsKept } from "@malote/domain/limits";
import { audit } from "../platform/audit.ts";
import { removeUnnamed } from "../platform/files/remove-unnamed.ts";
import type { Parts } from "../platform/parts.ts";
import {
  abandonedExports,
  companiesWithExports,
  endExport,
  expireExports,
  exportKeys,
  whoAsked,
} from "./export-store.ts";
import { tellExportFailed } from "./letters.ts";
import { attachmentKeys } from "./store.ts";

const hourMs = 3_600_000;

type Needs = Pick<Parts, "db" | "clock" | "config" | "files" | "jobs">;

export async function tidyInfractions(parts: Needs): Promise<void> {
  for (const companyId of await parts.db.withSystem(companiesWithExports)) {
    await giveUpAbandoned(parts, companyId);
    await removeExpired(parts, companyId);
  }
  await removeUnrecorded(parts);
}

async function giveUpAbandoned(parts: Needs, companyId: string): Promise<void> {
  const now = parts.clock.now();
  await parts.db.withCompany(companyId, async (tx) => {
    const before = new Date(now.getTime() - infractionExportsKept.makingHours * hourMs);
    for (const id of await abandonedExports(tx, before)) {
      if (!(await endExport(tx, id, null))) continue;
      await audit(tx, { actor: "system", now }, "infractions_export_given_up", id);
      const person = await whoAsked(tx, id);
      if (person) await tellExportFailed(tx, parts, person);
    }
  });
}

/** The record goes first: a kill in between leaves a file without one, which the next turn removes. */
async function removeExpired(parts: Needs, companyId: string): Promise<void> {
  const now = parts.clock.now();
  const expired = await parts.db.withCompany(companyId, async (tx) => {
    const rows = await expireExports(tx, now);
    for (const { id } of rows) await audit(tx, { actor: "system", now }, "infractions_export_removed", id);
    return rows;
  });
  for (const { fileKey } of expired) await parts.files.remove(fileKey);
}

async function removeUnrecorded({ db, files }: Needs): Promise<void> {
  const named = await db.withSystem(
    async (tx) => new Set([...(await attachmentKeys(tx)), ...(await exportKeys(tx))]),
  );
  for (const folder of ["infractions", "infraction-exports"])
    await removeUnnamed(files, folder, (key) => named.has(key));
}
