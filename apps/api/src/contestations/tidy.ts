/** Scheduled removal of attachments that belong to no defence. */
import { removeUnnamed } from "../platform/files/remove-unnamed.ts";
import type { Services } from "../platform/services.ts";
import { listAttachmentKeys } from "./store.ts";

export async function tidyAttachments({ db, files }: Pick<Services, "db" | "files">): Promise<void> {
  const attachments = new Set(await db.withSystem(listAttachmentKeys));
  await removeUnnamed(files, "infractions", (key) => attachments.has(key));
}
