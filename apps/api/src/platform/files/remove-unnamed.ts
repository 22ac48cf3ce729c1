import { dayMs } from "@malote/domain/durations";
import type { Files } from "./files.ts";

/**
 * Removes the files below a folder that no row names: a killed upload's, a removed one's. By the disk's own time,
 * which is never moved, and only old ones, because a file is there before its row.
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
