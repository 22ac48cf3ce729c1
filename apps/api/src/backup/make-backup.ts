/**
 * Backs up an installation at one instant, while it may keep running: the tables of one snapshot, then the uploaded
 * files. The secret of the data folder is included only on request: encrypted values cannot be read without it, and a
 * thief who has it together with the sessions can sign tokens for them.
 */
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { localFiles } from "../platform/files/files.ts";
import { type ArchiveWriter, writeArchive } from "./archive.ts";
import { type BackedUpTable, listTables, sameTexts, sumTable } from "./copied-tables.ts";
import {
  type BackupEnd,
  type BackupStart,
  backupFormat,
  endEntry,
  filesFolder,
  secretEntry,
  startEntry,
  tablesFolder,
} from "./manifest.ts";

/** Size of the pieces in which a table is written, because a tar entry states its size before its content. */
const pieceBytes = 4 * 1024 * 1024;

export interface BackupReport {
  tables: number;
  rows: number;
  files: number;
}

export async function makeBackup(
  path: string,
  connection: pg.ClientConfig,
  dataDir: string,
  now: Date,
  { withSecret = false }: { withSecret?: boolean } = {},
): Promise<BackupReport> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(sameTexts);
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const tables = await listTables(client);
    const sums: BackupEnd["tables"] = {};
    let files = 0;
    await writeArchive(path, async (archive) => {
      const start: BackupStart = {
        format: backupFormat,
        madeAt: now.toISOString(),
        migrations: await listMigrations(client),
        queueVersion: await readQueueVersion(client),
        tables,
        hasSecret: withSecret && existsSync(join(dataDir, "secret")),
      };
      await archive.add(startEntry, JSON.stringify(start));
      for (const table of tables) {
        await readAllCompanies(client, table, async () => {
          await addTable(archive, client, table);
          sums[table.name] = await sumTable(client, table);
        });
      }
      files = await addFiles(archive, dataDir);
      if (start.hasSecret) await archive.add(secretEntry, readFileSync(join(dataDir, "secret")));
      await archive.add(endEntry, JSON.stringify({ tables: sums, files } satisfies BackupEnd));
    });
    return {
      tables: tables.length,
      rows: Object.values(sums).reduce((total, { rows }) => total + rows, 0),
      files,
    };
  } finally {
    await client.end();
  }
}

export async function listMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("SELECT name FROM migrations ORDER BY name");
  return rows.map((row) => row.name);
}

export async function readQueueVersion(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: number }>("SELECT version FROM pgboss.version");
  return rows[0]?.version ?? 0;
}

/** Reads all companies as the system role, because row security also applies to the owner of the tables. */
async function readAllCompanies(
  client: pg.ClientBase,
  table: BackedUpTable,
  read: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ active: boolean }>(
    "SELECT row_security_active($1::regclass) AS active",
    [table.name],
  );
  if (!rows[0]?.active) return read();
  await client.query("SET LOCAL ROLE malote_system");
  await read();
  await client.query("RESET ROLE");
}

async function addTable(
  archive: ArchiveWriter,
  client: pg.ClientBase,
  { name, columns }: BackedUpTable,
): Promise<void> {
  const lines = client.query(copyTo(`COPY (SELECT ${columns.join(", ")} FROM ${name}) TO STDOUT`));
  let number = 0;
  let waiting: Buffer[] = [];
  let bytes = 0;
  async function addPiece(upTo: (whole: Buffer) => number): Promise<void> {
    const whole = Buffer.concat(waiting);
    const end = upTo(whole);
    await archive.add(`${tablesFolder}${name}/${String(number++).padStart(6, "0")}`, whole.subarray(0, end));
    waiting = [whole.subarray(end)];
    bytes = whole.length - end;
  }
  for await (const chunk of lines as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    bytes += chunk.length;
    // Writes whole rows: in this format a line break occurs only at the end of a row.
    if (bytes >= pieceBytes) await addPiece((whole) => whole.lastIndexOf("\n") + 1);
  }
  if (bytes > 0) await addPiece((whole) => whole.length);
}

async function addFiles(archive: ArchiveWriter, dataDir: string): Promise<number> {
  const folder = join(dataDir, "files");
  if (!existsSync(folder)) return 0;
  const files = localFiles(folder);
  let count = 0;
  for (const top of await readdir(folder)) {
    for await (const { key } of files.list(top)) {
      // A running upload has no row in the snapshot.
      if (key.endsWith(".part")) continue;
      const path = files.pathOf(key);
      const written = await stat(path).catch(() => undefined);
      // The file was removed while the folder was read.
      if (!written) continue;
      await archive.addStream(`${filesFolder}${key}`, written.size, createReadStream(path));
      count++;
    }
  }
  return count;
}
