/** The clock's housekeeping: attachments of no defence. */
import { removeUnnamed } from "../platform/files/remove-unnamed.ts";
import type { Parts } from "../platform/parts.ts";
import { attachmentKeys } from "./store.ts";

export async function tidyAttachments({ db, files }: Pick<Parts, "db" | "files">): Promise<void> {
  const attachments = new Set(await db.withSystem(attachmentKeys));
  await removeUnnamed(files, "infractions", (key) => attachments.has(key));
}
