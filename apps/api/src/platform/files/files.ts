/** Files that people sent: kept under a key that we make, never under a name that they chose. */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface Files {
  /** Stores the whole stream or nothing; a reader never sees half a file. Returns its size in bytes. */
  put(key: string, content: Readable): Promise<number>;
  read(key: string): Readable;
  /** Where a worker thread can open it. */
  pathOf(key: string): string;
  remove(key: string): Promise<void>;
}

const keyPattern = /^[a-z0-9][a-z0-9/._-]{0,200}$/;

export function localFiles(folder: string): Files {
  const pathOf = (key: string) => {
    if (!keyPattern.test(key) || key.includes("..")) throw new Error("not a file key of ours");
    return join(folder, key);
  };
  return {
    pathOf,
    async put(key, content) {
      const path = pathOf(key);
      const unfinished = `${path}.part`;
      await mkdir(dirname(path), { recursive: true });
      try {
        await pipeline(content, createWriteStream(unfinished));
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      return (await stat(path)).size;
    },
    read: (key) => createReadStream(pathOf(key)),
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}
