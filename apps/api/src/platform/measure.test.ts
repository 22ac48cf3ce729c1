/** Metrics on which alerts are built, as `/metrics` returns them. */
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sendDuePayments } from "../payments/index.ts";
import { startProduct } from "../product.ts";
import { jobs as jobQueues, measures } from "../registry.ts";
import {
  auroraId,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  releaseOnly,
} from "../testing/payments-kit.ts";
import { readConfig } from "./config.ts";
import { testDatabase } from "./db/test-database.ts";
import { healthRoutes } from "./http/health.ts";
import { metrics } from "./http/metrics.ts";
import { createServer } from "./http/server.ts";
import { openJobs } from "./jobs/jobs.ts";
import { createLog } from "./log.ts";
import { measureAll } from "./measure.ts";

let kit: PaymentsKit;
let server: FastifyInstance;
beforeEach(async () => {
  kit = await openPayments();
  server = await createServer(kit.services);
  healthRoutes(server, kit.services, { accepting: true }, measures);
});
afterEach(async () => {
  await server.close();
  await kit.close();
});

const numberIn = (text: string, name: string): number | undefined => {
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
};
async function figure(name: string): Promise<number | undefined> {
  const { body } = await server.inject({ url: "/metrics", headers: { host: "localhost" } });
  return numberIn(body, name);
}

it("reports the time since the oldest payment was due", async () => {
  await releaseOnly(kit, await paidFor(kit, [pix(10_00), pix(20_00)]));
  kit.clock.advance({ seconds: 90 });
  expect(await figure("malote_due_payment_oldest_seconds")).toBe(90);
});

it("counts a payment that was claimed and not sent as due", async () => {
  await releaseOnly(kit, await paidFor(kit, [pix(10_00)]));
  const rails = { ...kit.services.rails, send: () => Promise.reject(new Error("the network is gone")) };
  await expect(sendDuePayments({ ...kit.services, rails }, { companyId: auroraId })).rejects.toThrow("gone");
  kit.clock.advance({ seconds: 7 });
  expect(await figure("malote_due_payment_oldest_seconds")).toBe(7);
});

it("reports no due payment once all are sent", async () => {
  await releaseOnly(kit, await paidFor(kit, [pix(10_00)]));
  kit.clock.advance({ seconds: 90 });
  await sendDuePayments(kit.services, { companyId: auroraId });
  expect(await figure("malote_due_payment_oldest_seconds")).toBe(0);
});

it("does not count a payment of a future day", async () => {
  await releaseOnly(kit, await paidFor(kit, [pix(10_00, { payment_date: "2026-08-20" })]));
  kit.clock.advance({ hours: 1 });
  expect(await figure("malote_due_payment_oldest_seconds")).toBe(0);
});

it("reports for each queue the number of jobs that are not done, and the age of the oldest", async () => {
  const { db } = kit.services;
  await db.pool.query("DROP SCHEMA pgboss CASCADE");
  const jobs = await openJobs(db.pool.options, createLog("silent"), false, jobQueues);
  for (const batchId of ["one", "two", "done"])
    await db.withCompany(auroraId, (tx) => jobs.enqueue(tx, "close-batch", { companyId: auroraId, batchId }));
  await db.pool.query(`
    UPDATE pgboss.job_common SET created_on = now() - interval '100 s', state = CASE data ->> 'batchId'
      WHEN 'one' THEN 'retry' WHEN 'two' THEN 'active' ELSE 'completed' END::pgboss.job_state`);
  await db.pool.query(
    "UPDATE pgboss.job_common SET created_on = now() - interval '1 h' WHERE state = 'completed'",
  );
  const oldest = (await figure('malote_job_oldest_seconds{queue="close-batch"}')) ?? 0;
  expect(Math.floor(oldest / 60)).toBe(1);
  expect(await figure('malote_jobs_not_done{queue="close-batch"}')).toBe(2);
  expect(await figure('malote_job_oldest_seconds{queue="send-mail"}')).toBe(0);
  expect(await figure("malote_measure_failed")).toBe(0);
  await jobs.stop();
});

it("reports how many connections are busy and how much work waits for one", async () => {
  const { db } = kit.services;
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const max = db.pool.options.max;
  const begun = Array.from({ length: max }, () => Promise.withResolvers<void>());
  const holding = begun.map(({ resolve }) =>
    db.withSystem(async () => {
      resolve();
      await over;
    }),
  );
  await Promise.all(begun.map(({ promise }) => promise));
  holding.push(db.withSystem(async () => undefined));
  const measured = measureAll(kit.services, []);
  end();
  await Promise.all([measured, ...holding]);
  const text = await metrics.metrics();
  expect(numberIn(text, 'malote_pool_connections{pool="work",state="busy"}')).toBe(max);
  expect(numberIn(text, 'malote_pool_connections{pool="work",state="idle"}')).toBe(0);
  expect(numberIn(text, 'malote_pool_waiting{pool="work"}')).toBe(1);
});

it("lists each metric once, in the order of the names", async () => {
  const { body } = await server.inject({ url: "/metrics", headers: { host: "localhost" } });
  const names = [...body.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(names).toEqual([...new Set(names)].sort());
  expect(names).toEqual(
    expect.arrayContaining([
      ...["malote_books_clean", "malote_event_dead_letters", "malote_http_request_seconds"],
      ...["malote_payments_sent_total", "malote_rail_dead_letters", "malote_rail_events_total"],
    ]),
  );
});

it("reports the other metrics if one is unavailable, and that one as missing", async () => {
  await kit.services.db.pool.query("ALTER TABLE transfers RENAME TO gone");
  expect(await figure("malote_measure_failed")).toBe(1);
  expect(await figure('malote_pool_waiting{pool="work"}')).toBe(0);
  await kit.services.db.pool.query("ALTER TABLE gone RENAME TO transfers");
});

it("serves the metrics of a worker process at its own port", async () => {
  const { config: connection } = await testDatabase();
  const config = readConfig({
    MALOTE_LOG: "silent",
    MALOTE_ROLE: "worker",
    DATABASE_URL: "postgres://a.test",
    MALOTE_METRICS_PORT: "0",
    MALOTE_SECRET: "a secret of tests that is long enough for everybody",
    MALOTE_DATA: kit.services.config.dataDir,
  });
  const running: ((drainMs: number) => Promise<unknown>)[] = [];
  let said = "";
  await startProduct({ ...config, directDatabaseUrl: undefined }, connection, {
    running,
    say(sentence) {
      said += sentence;
    },
  });
  try {
    const [url = ""] = /http:\S+\/metrics/.exec(said) ?? [];
    const text = await (await fetch(url)).text();
    expect(numberIn(text, 'malote_jobs_not_done{queue="send-payments"}')).toBe(0);
    expect((await fetch(url.replace("/metrics", "/api/payments/user"))).status).toBe(404);
  } finally {
    for (const end of running.reverse()) await end(0);
  }
});
