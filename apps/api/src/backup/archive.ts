/**
 * Archives as plain .tar.gz files: entries have a fixed order, so that a backup is written and read in one pass and
 * never held in memory.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import tar from "tar-stream";

export interface ArchiveWriter {
  add(name: string, content: Buffer | string): Promise<void>;
  /** Adds a stream. The format requires its size in advance. */
  addStream(name: string, size: number, content: Readable): Promise<void>;
}

/** Permits only the owner to read the file, which holds the data of all companies. */
const fileMode = 0o600;

/** Writes the whole archive or none: an interrupted write leaves no file under the name. */
export async function writeArchive(
  path: string,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const unfinished = `${path}.part`;
  const pack = tar.pack();
  const writing = pipeline(
    pack,
    createGzip({ level: 1 }),
    createWriteStream(unfinished, { mode: fileMode, flush: true }),
  );
  // The error is handled where the promise is awaited; a full disk must not end the process before that.
  writing.catch(() => undefined);
  try {
    await fill({
      add: (name, content) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        pack.entry({ name, mode: fileMode }, content, (error) => (error ? reject(error) : resolve()));
        return Promise.race([promise, writing]);
      },
      addStream: (name, size, content) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const entry = pack.entry({ name, size, mode: fileMode }, (error) =>
          error ? reject(error) : resolve(),
        );
        content.once("error", reject).pipe(entry);
        return Promise.race([promise, writing]);
      },
    });
    pack.finalize();
    await writing;
    await rename(unfinished, path);
  } catch (error) {
    pack.destroy();
    await rm(unfinished, { force: true });
    throw error;
  }
}

export interface ArchiveEntry {
  name: string;
  content: Readable;
}

/** Yields the entries in order. Read each to its end before the next one. */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const extract = tar.extract();
  const reading = pipeline(createReadStream(path), createGunzip(), extract);
  reading.catch(() => undefined);
  for await (const entry of extract) {
    yield { name: entry.header.name, content: entry as unknown as Readable };
    entry.resume();
  }
  await reading;
}
