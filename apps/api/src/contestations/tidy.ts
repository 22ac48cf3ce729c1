/** The clock's housekeeping: links end, and files that no row names go from the disk. */
import { infractionExportsKept } from "@malote/domain/limits";
import type { Parts } from "../platform/parts.ts";
import { endOldExports, exportKeys } from "./export-store.ts";
import { attachmentKeys } from "./store.ts";

const hourMs = 3_600_000;

export async function tidyInfractions({
  db,
  clock,
  files,
}: Pick<Parts, "db" | "clock" | "files">): Promise<void> {
  const now = clock.now();
  const madeSince = new Date(now.getTime() - infractionExportsKept.makingHours * hourMs);
  for (const key of await db.withSystem((tx) => endOldExports(tx, now, madeSince))) await files.remove(key);
  const named = await db.withSystem(
    async (tx) => new Set([...(await attachmentKeys(tx)), ...(await exportKeys(tx))]),
  );
  for (const folder of ["infractions", "infraction-exports"]) {
    for await (const { key, writtenAt } of files.list(folder)) {
      // By the disk's own time, which no simulator moves, and only old ones: a defence has its file before its row.
      if (!named.has(key) && Date.now() - writtenAt.getTime() >= 24 * hourMs) await files.remove(key);
    }
  }
}
