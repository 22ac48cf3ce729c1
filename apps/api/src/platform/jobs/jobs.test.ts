import { sql } from "kysely";
import type pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { jobs as jobQueues } from "../../registry.ts";
import { type Database, openDatabase } from "../db/database.ts";
import { testDatabase } from "../db/test-database.ts";
import { createLog } from "../log.ts";
import { type Jobs, openJobs } from "./jobs.ts";

const companyId = "01990000-0000-7000-8000-00000000a001";

let db: Database;
let jobs: Jobs;
let config: pg.ClientConfig;
beforeEach(async () => {
  ({ config } = await testDatabase());
  db = openDatabase({ ...config, max: 4 });
  jobs = await openJobs(config, createLog("silent"), true, jobQueues);
});
afterEach(async () => {
  await jobs.stop();
  await db.close();
});

it("does not pause between jobs in the queue", async () => {
  // A pause of one interval per job would take longer than the test may.
  const wanted = Array.from({ length: 100 }, (_, index) => `batch ${index}`);
  await db.withCompany(companyId, async (tx) => {
    for (const batchId of wanted) await jobs.enqueue(tx, "close-batch", { companyId, batchId });
  });
  const done: string[] = [];
  const { promise: allDone, resolve } = Promise.withResolvers<void>();
  await jobs.work("close-batch", async ({ batchId }) => {
    done.push(batchId);
    if (done.length === wanted.length) resolve();
  });
  await allDone;
  expect(done.toSorted()).toEqual(wanted.toSorted());
});

it("drops a job whose transaction was rolled back", async () => {
  const undone = db.withCompany(companyId, async (tx) => {
    await jobs.enqueue(tx, "close-batch", { companyId, batchId: "undone" });
    throw new Error("changed its mind");
  });
  await expect(undone).rejects.toThrow("changed its mind");
  await db.withCompany(companyId, (tx) => jobs.enqueue(tx, "close-batch", { companyId, batchId: "wanted" }));
  const first = await new Promise((resolve) => {
    void jobs.work("close-batch", async ({ batchId }) => resolve(batchId));
  });
  expect(first).toBe("wanted");
});

it("takes over jobs of dead workers, repeatedly, without a longer pause each time", async () => {
  await db.withCompany(companyId, (tx) =>
    jobs.enqueue(tx, "close-batch", { companyId, batchId: "left lying" }),
  );
  for (let life = 1; life <= 2; life++) {
    // A worker that was killed seven seconds ago leaves this state, and so do earlier ones.
    await db.pool.query(`
      UPDATE pgboss.job_common SET state = 'active', retry_count = retry_count + 5, started_on = now() - interval '8 s',
        heartbeat_on = now() - interval '7 s'`);
    const next = await openJobs(config, createLog("silent"), true, jobQueues);
    const { promise, resolve } = Promise.withResolvers<string>();
    await next.work("close-batch", async ({ batchId }) => {
      resolve(batchId);
      // This job is not done either: the next worker finds it again.
      throw new Error("killed");
    });
    // The takeover takes two seconds until the next check, two of pause and one until the fetch; a growing pause would
    // outlast the test.
    expect(await promise).toBe("left lying");
    await next.stop();
  }
});

it("updates the rules of queues from earlier versions", async () => {
  await db.pool.query(
    "UPDATE pgboss.queue SET retry_limit = 50, retry_delay_max = 60, heartbeat_seconds = 60 WHERE name = 'close-batch'",
  );
  await (await openJobs(config, createLog("silent"), false, jobQueues)).stop();
  const { rows } = await db.pool.query(
    "SELECT retry_limit, retry_delay_max, heartbeat_seconds FROM pgboss.queue WHERE name = 'close-batch'",
  );
  expect(rows).toEqual([{ retry_limit: 200, retry_delay_max: 2, heartbeat_seconds: 6 }]);
});

it("shows a company only its own jobs, and lets it change none", async () => {
  const other = "01990000-0000-7000-8000-00000000b001";
  const batchId = "whose";
  for (const id of [companyId, other])
    await db.withCompany(id, (tx) => jobs.enqueue(tx, "close-batch", { companyId: id, batchId }));
  const seen = await db.withCompany(companyId, (tx) =>
    sql<{ company: string }>`SELECT data ->> 'companyId' AS company FROM pgboss.job`.execute(tx),
  );
  expect(seen.rows).toEqual([{ company: companyId }]);
  const asAnother = db.withCompany(companyId, (tx) =>
    jobs.enqueue(tx, "close-batch", { companyId: other, batchId }),
  );
  await expect(asAnother).rejects.toThrow(/row-level security/);
  const changed = db.withCompany(companyId, (tx) => sql`UPDATE pgboss.job SET data = '{}'`.execute(tx));
  await expect(changed).rejects.toThrow(/permission denied/);
});

it("uses for a company at most its share of a queue's workers, and the rest for others", async () => {
  const rules = jobQueues.get("make-export");
  const perCompany = rules?.concurrencyPerCompanyMax ?? 0;
  expect([rules?.concurrencyMax, perCompany]).toEqual([3, 2]);
  const other = "01990000-0000-7000-8000-00000000b001";
  const enqueue = (id: string, exportId: string) =>
    db.withCompany(id, (tx) => jobs.enqueue(tx, "make-export", { companyId: id, exportId }));
  for (let n = 1; n <= 4; n++) await enqueue(companyId, `large ${n}`);
  await enqueue(other, "small");
  const begun: string[] = [];
  const [small, release, all] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  await jobs.work("make-export", async ({ exportId }) => {
    begun.push(exportId);
    if (begun.length === 5) all.resolve();
    if (exportId === "small") small.resolve();
    else await release.promise;
  });
  await small.promise;
  expect(begun.filter((id) => id !== "small").length).toBeLessThanOrEqual(perCompany);
  release.resolve();
  await all.promise;
  expect(begun.toSorted()).toEqual(["large 1", "large 2", "large 3", "large 4", "small"]);
});
