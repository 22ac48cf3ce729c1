import { afterEach, beforeEach, expect, it } from "vitest";
import { type Database, openDatabase } from "../db/database.ts";
import { createLog } from "../log.ts";
import { testDatabase } from "../postgres/test-database.ts";
import { type Jobs, openJobs } from "./jobs.ts";

const companyId = "01990000-0000-7000-8000-00000000a001";

let db: Database;
let jobs: Jobs;
beforeEach(async () => {
  const { config } = await testDatabase();
  db = openDatabase({ ...config, max: 4 });
  jobs = await openJobs(config, createLog("silent"), true);
});
afterEach(async () => {
  await jobs.stop();
  await db.close();
});

it("does not rest between jobs that stand in line", async () => {
  const wanted = Array.from({ length: 30 }, (_, index) => `batch ${index}`);
  await db.withCompany(companyId, async (tx) => {
    for (const batchId of wanted) await jobs.enqueue(tx, "close-batch", { companyId, batchId });
  });
  const done: string[] = [];
  const { promise: allDone, resolve } = Promise.withResolvers<void>();
  await jobs.work("close-batch", async ({ batchId }) => {
    done.push(batchId);
    if (done.length === wanted.length) resolve();
  });
  const since = performance.now();
  await allDone;
  expect(done.toSorted()).toEqual(wanted.toSorted());
  // One rest a job would be half a minute.
  expect(performance.now() - since).toBeLessThan(5_000);
});

it("forgets what was asked for by work that was undone", async () => {
  const undone = db.withCompany(companyId, async (tx) => {
    await jobs.enqueue(tx, "close-batch", { companyId, batchId: "undone" });
    throw new Error("changed its mind");
  });
  await expect(undone).rejects.toThrow("changed its mind");
  await db.withCompany(companyId, (tx) => jobs.enqueue(tx, "close-batch", { companyId, batchId: "meant" }));
  const first = await new Promise((resolve) => {
    void jobs.work("close-batch", async ({ batchId }) => resolve(batchId));
  });
  expect(first).toBe("meant");
});
