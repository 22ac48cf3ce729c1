/** Two releases run side by side for a while, so each waits for the other's locks by the same keys. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lockNotices, lockRequester } from "../../controls/requests-store.ts";
import { lockPolicies } from "../../controls/store.ts";
import { lockSums } from "../../controls/sums-store.ts";
import { lockRequests } from "../../exports/store.ts";
import { countCredentials } from "../../identities/index.ts";
import { requireRoom } from "../../payouts/import/quota.ts";
import { lockBoletoCodes, lockChecks, lockFindings } from "../../payouts/locks.ts";
import { buildTestApp, type TestApp } from "../../testing/app.ts";
import { auroraId } from "../../testing/payments-kit.ts";
import type { Tx } from "./database.ts";
import { declareLock, declareSystemLock } from "./locks.ts";

const batchId = "01990000-0000-7000-8000-0000000000c1";
const userId = "01990000-0000-7000-8000-0000000000c2";

describe("a key keeps its text", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await buildTestApp();
  });
  afterAll(() => app.close());

  it.each<[string, (tx: Tx) => Promise<unknown>, string]>([
    ["the codes of boletos and charges", lockBoletoCodes, `billets ${auroraId}`],
    ["the look for equal payments", lockChecks, `ticks ${auroraId}`],
    ["the findings of a batch", (tx) => lockFindings(tx, batchId), `checks ${batchId}`],
    ["the sums of people", lockSums, `outflows ${auroraId}`],
    ["the requests of a user", (tx) => lockRequester(tx, [userId]), `asking ${auroraId} ${userId}`],
    ["the e-mails to approvers", lockNotices, `notices ${auroraId}`],
    ["the versions of a policy", lockPolicies, `policies ${auroraId}`],
    ["credentials", (tx) => countCredentials(tx, "payments"), `credentials ${auroraId}`],
    ["requested files", lockRequests, `exports ${auroraId}`],
    ["uploads", (tx) => requireRoom(tx, new Date(), 1), `uploads ${auroraId}`],
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

describe("a key", () => {
  it("belongs to one lock", () => {
    declareSystemLock(1);
    expect(() => declareSystemLock(1)).toThrow("two locks have the key 1");
    expect(() => declareLock("billets")).toThrow("two locks have the key billets");
  });

  it.each(["", "billets ", "Billets", "two words"])("does not begin with %j", (text) => {
    expect(() => declareLock(text)).toThrow("begins with one word");
  });
});

describe("one file declares", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const sources = globSync("**/*.ts", { cwd: root })
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => ({ file, text: readFileSync(`${root}/${file}`, "utf8") }));

  it("every key of an advisory lock", () => {
    const locking = sources.filter(({ text }) => /pg_\w*advisory\w*\(/.test(text));
    const keyed = locking.filter(({ text }) => text.includes("hashtextextended("));
    expect(keyed.map(({ file }) => file)).toEqual(["platform/db/locks.ts"]);
    const unnamed = locking.filter(({ text }) => !/\b\w+Lock\b|\block: SystemLock\b/.test(text));
    expect(unnamed.map(({ file }) => file)).toEqual([]);
    const numbers = sources.filter(({ text }) => /\b7_?265_?\d{3}\b/.test(text));
    const undeclared = numbers.filter(({ text }) => !/declareSystemLock\(7_265_\d{3}\)/.test(text));
    expect(undeclared.map(({ file }) => file)).toEqual([]);
  });

  it("each lock, also those that no process takes together", () => {
    const keys = sources.flatMap(({ text }) =>
      [...text.matchAll(/declare(?:System)?Lock\(("[^"]+"|\d[\d_]*)\)/g)].map(([, key]) => key),
    );
    expect(keys.length).toBeGreaterThan(12);
    expect(keys).toEqual([...new Set(keys)]);
  });

  it("the lock of a company's row", () => {
    const locking = sources.filter(({ text }) => /SELECT FROM companies\b[^`]*FOR NO KEY UPDATE/.test(text));
    expect(locking.map(({ file }) => file)).toEqual(["company/store.ts"]);
  });
});
