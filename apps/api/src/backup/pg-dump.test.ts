/**
 * Rights that `pg_dump` needs on the database, and the comparison of a restored copy with its source
 * (docs/operations.md). npm installs no `pg_dump`, so the test reads the tables as it does, with a role of its own.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seedDemo } from "../adapters/sandbox/demo/seed.ts";
import { checkBooks } from "../ledger/check-books.ts";
import { openDatabase } from "../platform/db/database.ts";
import { testDatabase } from "../platform/db/test-database.ts";
import { openJobs } from "../platform/jobs/jobs.ts";
import { createLog } from "../platform/log.ts";
import { jobs as jobQueues } from "../registry.ts";
import { testClock } from "../testing/app.ts";
import { readArchive } from "./archive.ts";
import { listTables, sameTexts, sumTable, type TableSum } from "./copied-tables.ts";
import { makeBackup } from "./make-backup.ts";
import { endEntry } from "./manifest.ts";
import { restoreBackup } from "./restore-backup.ts";

const log = createLog("silent");
const folder = mkdtempSync(join(tmpdir(), "malote-dump-"));
const madeAt = new Date("2026-08-12T13:00:00Z");
let source: pg.ClientConfig;
/** Roles belong to the server, which other tests share. */
const reader = `reader_${randomBytes(6).toString("hex")}`;

async function asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(source);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  source = (await testDatabase()).config;
  await (await openJobs(source, log, false, jobQueues)).stop();
  const db = openDatabase(source);
  await seedDemo(db, testClock());
  await db.close();
  await asOwner((client) =>
    client.query(`CREATE ROLE ${reader} NOLOGIN; GRANT pg_read_all_data TO ${reader}`),
  );
});
afterAll(async () => {
  await asOwner((client) => client.query(`DROP ROLE ${reader}`));
  rmSync(folder, { recursive: true, force: true });
});

/** Reads every table with row security as `pg_dump` sets it: off, or on with `--enable-row-security`. */
const readAs = (role: string, rowSecurity: "off" | "on"): Promise<Record<string, TableSum>> =>
  asOwner(async (client) => {
    await client.query(sameTexts);
    const tables = await listTables(client);
    await client.query(`SET row_security = ${rowSecurity}; SET ROLE ${role}`);
    const sums: Record<string, TableSum> = {};
    for (const table of tables) sums[table.name] = await sumTable(client, table);
    return sums;
  });
const everything = () => readAs("postgres", "off");

it("is refused to a role under row security, and would omit rows with row security enabled", async () => {
  await expect(readAs(reader, "off")).rejects.toThrow(/would be affected by row-level security policy/);
  const seen = await readAs(reader, "on");
  const whole = await everything();
  const missing = Object.keys(whole).filter((table) => seen[table]?.rows !== whole[table]?.rows);
  expect(missing).toContain("public.companies");
  expect(missing.map((table) => seen[table]?.rows)).toEqual(missing.map(() => 0));
});

it("reads every row of every table as a role that may read all data and bypasses row security", async () => {
  await asOwner((client) => client.query(`ALTER ROLE ${reader} BYPASSRLS`));
  const whole = await everything();
  expect(whole["public.companies"]?.rows).toBeGreaterThan(0);
  expect(await readAs(reader, "off")).toEqual(whole);
});

it("has another hash in its backup than its copy after one centavo changed", async () => {
  const fetchSums = async (connection: pg.ClientConfig, name: string) => {
    const path = join(folder, name);
    await makeBackup(path, connection, folder, madeAt);
    let end = "";
    for await (const { name: entry, content } of readArchive(path))
      if (entry === endEntry) end = await text(content);
    expect(end).toContain("public.companies");
    return end;
  };
  const before = await fetchSums(source, "source.tar.gz");
  const copy = (await testDatabase()).config;
  await restoreBackup(
    join(folder, "source.tar.gz"),
    copy,
    mkdtempSync(join(folder, "data-")),
    log,
    jobQueues,
  );
  expect(await fetchSums(copy, "copy.tar.gz")).toBe(before);
  const db = openDatabase(copy);
  expect(await checkBooks(db)).toEqual([]);
  await db.pool.query(
    "UPDATE companies SET payment_price = coalesce(payment_price, 0) + 1 WHERE tax_id = (SELECT min(tax_id) FROM companies)",
  );
  await db.close();
  expect(await fetchSums(copy, "changed.tar.gz")).not.toBe(before);
});
