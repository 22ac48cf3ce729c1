/**
 * Restores a backup into an empty database in one transaction, which commits only when every table has its original row
 * count and hash. Afterwards the database holds the whole installation or is still empty.
 */
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer, json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { listKnownMigrations, migrate } from "../platform/db/migrate.ts";
import { localFiles } from "../platform/files/files.ts";
import { openJobs, type Queues } from "../platform/jobs/jobs.ts";
import type { Log } from "../platform/log.ts";
import { readArchive } from "./archive.ts";
import { type BackedUpTable, listTables, sameTexts, sumTable } from "./copied-tables.ts";
import { readQueueVersion } from "./make-backup.ts";
import {
  type BackupEnd,
  type BackupStart,
  backupEnd,
  backupStart,
  endEntry,
  filesFolder,
  secretEntry,
  startEntry,
  tablesFolder,
} from "./manifest.ts";

/** Error of a backup that cannot be restored here, with a message for the user. */
export class CannotRestore extends Error {}

export interface RestoreReport {
  madeAt: string;
  tables: number;
  rows: number;
  files: number;
  /** True when the backup has no secret and the data folder has none either. */
  lacksSecret: boolean;
}

export async function restoreBackup(
  path: string,
  connection: pg.ClientConfig,
  dataDir: string,
  log: Log,
  queues: Queues,
): Promise<RestoreReport> {
  const secretFile = join(dataDir, "secret");
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(sameTexts);
    await requireEmpty(client);
    const { start, end, closing, files, secret } = await readRows(
      path,
      connection,
      client,
      dataDir,
      log,
      queues,
    );
    if (end?.files !== files) throw new CannotRestore("O backup está incompleto: o arquivo foi cortado.");
    await requireSame(client, start.tables, end);
    for (const statement of closing) await client.query(statement);
    await restoreSequences(client, start.tables);
    await client.query("COMMIT");
    if (secret) writeFileSync(secretFile, secret, { mode: 0o600, flag: "wx" });
    await migrate(connection);
    const rows = Object.values(end.tables).reduce((total, table) => total + table.rows, 0);
    const lacksSecret = !existsSync(secretFile);
    return { madeAt: start.madeAt, tables: start.tables.length, rows, files, lacksSecret };
  } catch (error) {
    if (isBroken(error)) throw new CannotRestore("O arquivo de backup está danificado.", { cause: error });
    throw error;
  } finally {
    await client.end();
  }
}

const otherSecret = (file: string) =>
  `Já há um segredo em ${file}: restaure em uma pasta de dados vazia, porque sem o segredo do backup o que está cifrado não pode ser lido.`;

/** Reads all entries in a transaction that stays open. */
async function readRows(
  path: string,
  connection: pg.ClientConfig,
  client: pg.ClientBase,
  dataDir: string,
  log: Log,
  queues: Queues,
) {
  const entries = readArchive(path);
  const first = await entries.next();
  if (first.done || first.value.name !== startEntry)
    throw new CannotRestore("O arquivo não é um backup do Malote.");
  const start = await readStart(first.value.content);
  const secretFile = join(dataDir, "secret");
  if (start.hasSecret && existsSync(secretFile)) throw new CannotRestore(otherSecret(secretFile));
  await prepare(connection, start, log, queues);
  await client.query("BEGIN");
  const closing = await openTables(client, start.tables);

  const kept = localFiles(join(dataDir, "files"));
  let files = 0;
  let secret: Buffer | undefined;
  let end: BackupEnd | undefined;
  for await (const { name, content } of entries) {
    if (name.startsWith(tablesFolder)) await readTable(client, start, name, content);
    else if (name.startsWith(filesFolder)) {
      await kept.put(name.slice(filesFolder.length), content);
      files++;
    } else if (name === secretEntry) secret = await buffer(content);
    else if (name === endEntry) end = backupEnd.parse(await json(content));
  }
  return { start, end, closing, files, secret };
}

/** Returns true for errors of a damaged file or one that is no backup. */
const isBroken = (error: unknown) =>
  /^Z_|^ERR_STREAM_PREMATURE_CLOSE/.test((error as { code?: string }).code ?? "") ||
  /Unexpected end of data|Invalid tar header/.test((error as Error).message) ||
  error instanceof SyntaxError ||
  (error as Error).name === "ZodError";

async function requireEmpty(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ prepared: boolean }>(
    "SELECT to_regclass('public.companies') IS NOT NULL AS prepared",
  );
  // A failed restore leaves only tables without a company.
  if (!rows[0]?.prepared) return;
  const { rowCount } = await client.query("SELECT FROM sign_in_names LIMIT 1");
  if (rowCount === 0) return;
  throw new CannotRestore(
    "O banco de destino já tem dados do Malote: restaure em um banco vazio ou em outra pasta (MALOTE_DATA).",
  );
}

async function readStart(content: Readable): Promise<BackupStart> {
  const start = backupStart.parse(await json(content));
  const known = await listKnownMigrations();
  if (start.migrations.some((name) => !known.includes(name))) {
    throw new CannotRestore("O backup é de um Malote mais novo que este: atualize antes de restaurar.");
  }
  return start;
}

/** Creates the tables of the backup's version, and the queue. */
async function prepare(
  connection: pg.ClientConfig,
  start: BackupStart,
  log: Log,
  queues: Queues,
): Promise<void> {
  await migrate(connection, start.migrations);
  await (await openJobs(connection, log, false, queues)).stop();
  const client = new pg.Client(connection);
  await client.connect();
  try {
    if ((await readQueueVersion(client)) !== start.queueVersion) {
      throw new CannotRestore(
        "A fila de trabalhos do backup é de outra versão: restaure com o Malote que o fez e depois atualize.",
      );
    }
    const here = await listTables(client);
    const differs = (left: BackedUpTable[], right: BackedUpTable[]) =>
      left.some((table) => !right.some((other) => fingerprintOf(other) === fingerprintOf(table)));
    if (differs(start.tables, here) || differs(here, start.tables)) {
      throw new CannotRestore("As tabelas do backup não são as desta versão do Malote.");
    }
  } finally {
    await client.end();
  }
}

const fingerprintOf = ({ name, columns }: BackedUpTable) =>
  createHash("sha256")
    .update(JSON.stringify([name, columns]))
    .digest("hex");

/**
 * Truncates the tables and lets their owner bypass row security and triggers that read other rows: at the end every
 * table is compared with the backup. Returns the statements that restore both.
 */
async function openTables(client: pg.ClientBase, tables: readonly BackedUpTable[]): Promise<string[]> {
  const names = tables.map(({ name }) => name);
  await client.query(`TRUNCATE ${names.join(", ")}`);
  const { rows } = await client.query<{ name: string; forced: boolean; watched: boolean }>(
    `SELECT t.name, c.relforcerowsecurity AS forced,
       EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal) AS watched
     FROM unnest($1::text[]) AS t (name) JOIN pg_class c ON c.oid = t.name::regclass`,
    [names],
  );
  const closing: string[] = [];
  for (const { name, forced, watched } of rows) {
    if (forced) {
      await client.query(`ALTER TABLE ${name} NO FORCE ROW LEVEL SECURITY`);
      closing.push(`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`);
    }
    if (watched) {
      await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
      closing.push(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
    }
  }
  return closing;
}

async function readTable(
  client: pg.ClientBase,
  start: BackupStart,
  entry: string,
  content: Readable,
): Promise<void> {
  const name = entry.slice(tablesFolder.length, entry.lastIndexOf("/"));
  const table = start.tables.find((one) => one.name === name);
  if (!table) throw new CannotRestore("O arquivo de backup está danificado.");
  const rows = client.query(copyFrom(`COPY ${table.name} (${table.columns.join(", ")}) FROM STDIN`));
  await pipeline(content, rows);
}

async function requireSame(
  client: pg.ClientBase,
  tables: readonly BackedUpTable[],
  end: BackupEnd,
): Promise<void> {
  for (const table of tables) {
    const was = end.tables[table.name];
    const is = await sumTable(client, table);
    if (was?.rows !== is.rows || was.hash !== is.hash) {
      throw new CannotRestore(
        `A tabela ${table.name} não voltou igual: o arquivo de backup está danificado.`,
      );
    }
  }
}

/** Sets each sequence to continue after the restored rows, as it would in the original installation. */
async function restoreSequences(client: pg.ClientBase, tables: readonly BackedUpTable[]): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('SELECT setval(pg_get_serial_sequence(%L, %L), max(%I)) FROM %s HAVING count(*) > 0',
       t.name, a.attname, a.attname, t.name) AS statement
     FROM unnest($1::text[]) AS t (name) JOIN pg_attribute a ON a.attrelid = t.name::regclass AND a.attidentity <> ''`,
    [tables.map(({ name }) => name)],
  );
  for (const { statement } of rows) await client.query(statement);
}
