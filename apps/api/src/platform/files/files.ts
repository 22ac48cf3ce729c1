/** Uploaded files, stored under generated keys, never under the names that users choose. */
import { chmodSync, createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, open, opendir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { reachFailPoint } from "../fail-points.ts";

export interface Files {
  /** Stores the whole stream or nothing; a reader never sees a partial file. Returns its size in bytes. */
  put(key: string, content: Readable): Promise<number>;
  read(key: string): Readable;
  /** Returns the path, so that a worker thread can open the file. */
  pathOf(key: string): string;
  remove(key: string): Promise<void>;
  /** Lists every file below a folder, including those of interrupted uploads. */
  list(folder: string): AsyncIterable<{ key: string; writtenAt: Date }>;
}

const keyPattern = /^[a-z0-9][a-z0-9/._-]{0,200}$/;

/** Only the owner may read the folder, because it holds users' documents. */
const folderMode = 0o700;
const fileMode = 0o600;

export function localFiles(folder: string): Files {
  closeToOthers(folder);
  const pathOf = (key: string) => {
    if (!keyPattern.test(key) || key.includes("..")) throw new Error("not a file key of ours");
    return join(folder, key);
  };
  return {
    pathOf,
    async put(key, content) {
      const path = pathOf(key);
      const unfinished = `${path}.part`;
      await mkdir(dirname(path), { recursive: true, mode: folderMode });
      try {
        await pipeline(content, createWriteStream(unfinished, { mode: fileMode, flush: true }));
        reachFailPoint("before-file-kept");
        await rename(unfinished, path);
        await syncFolder(dirname(path));
        reachFailPoint("after-file-kept");
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      return (await stat(path)).size;
    },
    read: (key) => createReadStream(pathOf(key)),
    remove: (key) => rm(pathOf(key), { force: true }),
    async *list(below) {
      const top = pathOf(below);
      if (!existsSync(top)) return;
      for await (const entry of await opendir(top, { recursive: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const written = await stat(path).catch(() => undefined);
        // A file that was removed while the folder was read is skipped.
        if (written) yield { key: relative(folder, path).replaceAll(sep, "/"), writtenAt: written.mtime };
      }
    },
  };
}

/**
 * Restricts a folder that an earlier version created with wider permissions. Leaves a folder of another user unchanged.
 */
function closeToOthers(folder: string): void {
  if (!existsSync(folder)) return;
  try {
    chmodSync(folder, folderMode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
}

/** Syncs the folder, so that the name is on the disk before the caller gets its answer. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
