import { dayMs } from "@malote/domain/durations";
import type { Files } from "./files.ts";

/**
 * Removes files below a folder that no row names, such as those of interrupted uploads. Uses the disk's clock, which
 * cannot be moved, and removes only old files, because a file exists before its row.
 */
export async function removeUnnamed(
  files: Files,
  folder: string,
  isNamed: (key: string) => boolean | Promise<boolean>,
): Promise<void> {
  for await (const { key, writtenAt } of files.list(folder)) {
    if (Date.now() - writtenAt.getTime() >= dayMs && !(await isNamed(key))) await files.remove(key);
  }
}
