/** The clock's housekeeping: lists that were asked for as a file, and attachments of no defence. */
import { tidyAskedFiles } from "../platform/files/asked-files.ts";
import { removeUnnamed } from "../platform/files/remove-unnamed.ts";
import type { Parts } from "../platform/parts.ts";
import { emailExportFailed } from "./emails.ts";
import { endExport, exportFiles, whoAsked } from "./export-store.ts";
import { attachmentKeys } from "./store.ts";

export async function tidyInfractions(
  parts: Pick<Parts, "db" | "clock" | "config" | "files" | "jobs">,
): Promise<void> {
  await tidyAskedFiles(parts, exportFiles, async (tx, id) => {
    if (!(await endExport(tx, id, null))) return false;
    const person = await whoAsked(tx, id);
    if (person) await emailExportFailed(tx, parts, person);
    return true;
  });
  const attachments = new Set(await parts.db.withSystem(attachmentKeys));
  await removeUnnamed(parts.files, "infractions", (key) => attachments.has(key));
}
