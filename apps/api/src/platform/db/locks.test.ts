/** Two releases run beside each other for a while: each has to wait for the other's locks, by the same keys. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lockBoletoCodes, lockChecks, lockFindings } from "../../payouts/locks.ts";
import { buildTestApp, type TestApp } from "../../testing/app.ts";
import { auroraId } from "../../testing/payments-kit.ts";
import type { Tx } from "./database.ts";

const batchId = "01990000-0000-7000-8000-0000000000c1";

describe("a key keeps its text", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await buildTestApp();
  });
  afterAll(() => app.close());

  it.each<[string, (tx: Tx) => Promise<void>, string]>([
    ["the codes of boletos and charges", lockBoletoCodes, `billets ${auroraId}`],
    ["the look for equal payments", lockChecks, `ticks ${auroraId}`],
    ["the findings of a batch", (tx) => lockFindings(tx, batchId), `checks ${batchId}`],
  ])("%s", async (_what, lock, key) => {
    const { db } = app.services;
    const isFree = async () => {
      const { rows } = await db.pool.query<{ free: boolean }>(
        "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS free",
        [key],
      );
      return rows[0]?.free;
    };
    await db.withCompany(auroraId, async (tx) => {
      expect(await isFree()).toBe(true);
      await lock(tx);
      expect(await isFree()).toBe(false);
    });
    expect(await isFree()).toBe(true);
  });
});

describe("is written in one place", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const sources = globSync("**/*.ts", { cwd: root })
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => ({ file, text: readFileSync(`${root}/${file}`, "utf8") }));

  it("every key of an advisory lock", () => {
    const locking = sources.filter(({ text }) => /pg_\w*advisory\w*\(/.test(text));
    const keyed = locking.filter(({ text }) => text.includes("hashtextextended("));
    expect(keyed.map(({ file }) => file)).toEqual(["platform/db/locks.ts"]);
    const unnamed = locking.filter(({ text }) => !text.includes("systemLocks"));
    expect(unnamed.map(({ file }) => file)).toEqual([]);
  });

  it("the lock of a company's row", () => {
    const locking = sources.filter(({ text }) => /SELECT FROM companies\b[^`]*FOR NO KEY UPDATE/.test(text));
    expect(locking.map(({ file }) => file)).toEqual(["company/store.ts"]);
  });
});
