import { randomUUID } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedDemo } from "../adapters/sandbox/demo/seed.ts";
import { type Database, openDatabase } from "../platform/db/database.ts";
import { testDatabase } from "../platform/db/test-database.ts";
import { emit } from "../platform/events/emit.ts";
import { openJobs } from "../platform/jobs/jobs.ts";
import { createLog } from "../platform/log.ts";
import { jobs as jobQueues } from "../registry.ts";
import { testClock } from "../testing/app.ts";
import { auroraId } from "../testing/payments-kit.ts";
import { makeBackup } from "./make-backup.ts";
import { CannotRestore, restoreBackup } from "./restore-backup.ts";

const log = createLog("silent");
const folder = mkdtempSync(join(tmpdir(), "malote-backup-"));
const file = join(folder, "malote.tar.gz");
const plainFile = join(folder, "plain.tar.gz");
const madeAt = new Date("2026-08-12T13:00:00Z");
let source: pg.ClientConfig;

const newFolder = () => mkdtempSync(join(folder, "data-"));
const emptyDatabase = async () => (await testDatabase()).config;
const query = async (connection: pg.ClientConfig, text: string) => {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

/** The events are not relayed: they stay in the outbox. */
const emitSome = (db: Database, count: number) =>
  db.withCompany(auroraId, async (tx) => {
    for (let left = count; left > 0; left--)
      await emit(tx, { now: madeAt }, { type: "batch.released", objectId: randomUUID(), payload: {} });
  });

beforeAll(async () => {
  source = (await testDatabase()).config;
  await (await openJobs(source, log, false, jobQueues)).stop();
  const db = openDatabase(source);
  await seedDemo(db, testClock());
  await emitSome(db, 3);
  await db.close();
  const dataDir = newFolder();
  writeFileSync(join(dataDir, "secret"), "a secret that is long enough for everybody");
  await makeBackup(file, source, dataDir, madeAt, { withSecret: true });
  await makeBackup(plainFile, source, dataDir, madeAt);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a backup", () => {
  it("is readable by its owner only, and leaves no partial file", () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(() => statSync(`${file}.part`)).toThrow();
  });

  it("holds the secret of the data folder only on request, and is written beside an existing backup", async () => {
    expect(gunzipSync(readFileSync(file)).includes("a secret that is long enough")).toBe(true);
    expect(gunzipSync(readFileSync(plainFile)).includes("a secret that is long enough")).toBe(false);
    const without = newFolder();
    expect(await restoreBackup(plainFile, await emptyDatabase(), without, log, jobQueues)).toMatchObject({
      lacksSecret: true,
    });
    const beside = newFolder();
    writeFileSync(join(beside, "secret"), "kept elsewhere");
    const restored = await restoreBackup(plainFile, await emptyDatabase(), beside, log, jobQueues);
    expect(restored.lacksSecret).toBe(false);
    expect(readFileSync(join(beside, "secret"), "utf8")).toBe("kept elsewhere");
  });

  it("continues the numbering of the outbox after the restored events", async () => {
    const target = await emptyDatabase();
    await restoreBackup(file, target, newFolder(), log, jobQueues);
    const db = openDatabase(target);
    await emitSome(db, 1);
    await db.close();
    expect(await query(target, "SELECT n FROM outbox ORDER BY at, n")).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 3 },
      { n: 4 },
    ]);
  });

  it("restores every row, the secret and row security", async () => {
    const target = await emptyDatabase();
    const dataDir = newFolder();
    const restored = await restoreBackup(file, target, dataDir, log, jobQueues);
    expect(restored).toMatchObject({ madeAt: madeAt.toISOString(), files: 0 });
    expect(readFileSync(join(dataDir, "secret"), "utf8")).toMatch(/^a secret/);
    const users = "SELECT email, password_hash FROM users ORDER BY email";
    expect(await query(target, users)).toEqual(await query(source, users));
    const open = `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relrowsecurity AND NOT c.relforcerowsecurity ORDER BY 1`;
    expect(await query(target, open)).toEqual(await query(source, open));
  });
});

describe("a restore", () => {
  it("refuses a database that has a company, and does not change it", async () => {
    const before = await query(source, "SELECT count(*) FROM users");
    await expect(restoreBackup(file, source, newFolder(), log, jobQueues)).rejects.toThrow(
      /já tem dados do Malote/,
    );
    expect(await query(source, "SELECT count(*) FROM users")).toEqual(before);
  });

  it("refuses a data folder with a secret of its own", async () => {
    const dataDir = newFolder();
    writeFileSync(join(dataDir, "secret"), "mine");
    await expect(restoreBackup(file, await emptyDatabase(), dataDir, log, jobQueues)).rejects.toThrow(
      /Já há um segredo/,
    );
  });

  const bytes = () => readFileSync(file);
  const unpacked = () => gunzipSync(bytes());
  /** A tar ends with two blocks; without the entry before them, the list of sums is missing. */
  const withoutEnd = () => {
    const tar = unpacked();
    return gzipSync(tar.subarray(0, tar.lastIndexOf("end.json")));
  };
  const changed = (from: string, to: string) => {
    const tar = unpacked();
    const at = tar.indexOf(from);
    expect(at).toBeGreaterThan(0);
    tar.write(to, at);
    return gzipSync(tar);
  };
  const broken: [string, () => Buffer][] = [
    ["no archive at all", () => Buffer.from("isto não é um backup")],
    ["an archive of something else", () => gzipSync(Buffer.alloc(1_024))],
    ["a file that was cut in the middle", () => bytes().subarray(0, bytes().length >> 1)],
    ["an archive without its end", withoutEnd],
    ["one changed letter of a row", () => changed("helena@aurora.example", "helena@aurorb.example")],
    ["another format", () => changed('"format":1', '"format":9')],
    ["a newer Malote", () => changed('"0001_roles.sql"', '"9991_roles.sql"')],
  ];

  it.each(broken)("refuses %s with a sentence, and accepts the right file afterwards", async (_, make) => {
    const target = await emptyDatabase();
    const dataDir = newFolder();
    const bad = join(dataDir, "bad.tar.gz");
    writeFileSync(bad, make());
    chmodSync(bad, 0o600);
    const refusal = await restoreBackup(bad, target, dataDir, log, jobQueues).catch(
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(CannotRestore);
    expect((refusal as Error).message).toMatch(/^(O arquivo|O backup|A tabela) /);
    expect(await query(target, "SELECT count(*)::int AS users FROM users")).toEqual([{ users: 0 }]);
    await restoreBackup(file, target, dataDir, log, jobQueues);
  });

  it("does not read past the end of the backup in a longer file", async () => {
    const long = join(newFolder(), "long.tar.gz");
    writeFileSync(long, bytes());
    appendFileSync(long, "more");
    await expect(restoreBackup(long, await emptyDatabase(), newFolder(), log, jobQueues)).rejects.toThrow(
      /danificado/,
    );
  });
});
