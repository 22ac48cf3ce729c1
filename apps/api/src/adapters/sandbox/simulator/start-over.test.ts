import { sql } from "kysely";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Database, openDatabase } from "../../../platform/db/database.ts";
import { testDatabase } from "../../../platform/db/test-database.ts";
import { type Jobs, openJobs } from "../../../platform/jobs/jobs.ts";
import { createLog } from "../../../platform/log.ts";
import { queueMail } from "../../../platform/mail/send-mail.ts";
import { jobs as jobQueues } from "../../../registry.ts";
import { demoCompanies, seedDemo } from "../demo/seed.ts";
import { createSandboxNetwork, type SandboxNetwork } from "../network/index.ts";
import { fixedClock, monday, order } from "../network/testing.ts";
import { startOver } from "./start-over.ts";

const clock = fixedClock(monday);
const log = createLog("silent");
const companyId = demoCompanies[0]!.id;

let db: Database;
let jobs: Jobs;
let network: SandboxNetwork;
beforeEach(async () => {
  const { config } = await testDatabase();
  db = openDatabase(config);
  jobs = await openJobs(config, log, false, jobQueues);
  network = createSandboxNetwork({ db, clock, log });
  await seedDemo(db, clock);
});
afterEach(async () => {
  await jobs.stop();
  await db.close();
});

const queueOne = () =>
  db.withCompany(companyId, (tx) =>
    queueMail(tx, jobs, {
      to: "a@b.example",
      subject: "Oi",
      content: { greeting: "Oi", paragraphs: [] },
      now: clock.now(),
    }),
  );

it("leaves no work waiting for companies that are gone", async () => {
  await queueOne();
  await startOver(db, clock, network);
  const { rows } = await db.pool.query("SELECT FROM pgboss.job");
  expect(rows).toHaveLength(0);
});

it("waits until nobody is receiving anything", async () => {
  for (const lock of [7265002, 7265004]) {
    const teller = await db.pool.connect();
    await teller.query("BEGIN");
    await teller.query("SELECT pg_advisory_xact_lock($1)", [lock]);
    let isOver = false;
    const over = startOver(db, clock, network).then(() => {
      isOver = true;
    });
    await vi.waitFor(async () => {
      const { rows } = await db.pool.query(
        "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
      );
      expect(rows.length).toBe(1);
    });
    expect(isOver).toBe(false);
    await teller.query("COMMIT");
    teller.release();
    await over;
  }
});

it("comes through while people and the network are at work", async () => {
  network.listen(async () => {
    await db.withCompany(companyId, (tx) => sql`SELECT count(*) FROM mails`.execute(tx));
  });
  let stop = false;
  const work = async (step: () => Promise<unknown>) => {
    // What is in the queue may be refused meanwhile; it must not hang or break what comes after.
    while (!stop) await step().catch(() => undefined);
  };
  const workers = [
    work(queueOne),
    work(queueOne),
    work(() => network.rails.send([order()])),
    work(() => network.deliverDue()),
  ];
  for (let round = 0; round < 5; round++) await startOver(db, clock, network);
  stop = true;
  await Promise.all(workers);

  await startOver(db, clock, network);
  const { rows } = await db.withSystem((tx) =>
    sql<{ mails: number; companies: number }>`
      SELECT (SELECT count(*) FROM mails) AS mails, (SELECT count(*) FROM companies) AS companies
    `.execute(tx),
  );
  expect(rows).toEqual([{ mails: 0, companies: 2 }]);
  expect(await network.inFlight()).toBe(0);
});
