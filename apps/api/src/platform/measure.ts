/** Metrics that need queries; read for each answer of `/metrics`. */
import { sql } from "kysely";
import { Gauge } from "prom-client";
import { metrics } from "./http/metrics.ts";
import type { Services } from "./services.ts";

/** Function that sets the gauges of a feature. */
export type Measure = (services: Services) => Promise<unknown>;

const jobOldestSeconds = new Gauge({
  name: "malote_job_oldest_seconds",
  help: "Age of the oldest unfinished job of a queue; 0 when there is none",
  labelNames: ["queue"],
  registers: [metrics],
});

const jobsNotDone = new Gauge({
  name: "malote_jobs_not_done",
  help: "Jobs of a queue that wait, run or will be retried",
  labelNames: ["queue"],
  registers: [metrics],
});

const poolConnections = new Gauge({
  name: "malote_pool_connections",
  help: "Database connections of this process: at most twelve for work and eight for screens",
  labelNames: ["pool", "state"],
  registers: [metrics],
});

const poolWaiting = new Gauge({
  name: "malote_pool_waiting",
  help: "Requests waiting for a database connection",
  labelNames: ["pool"],
  registers: [metrics],
});

const measureFailed = new Gauge({
  name: "malote_measure_failed",
  help: "1 when the last read of these metrics failed; the values are stale",
  registers: [metrics],
});

/** Reads every queried metric. A failing one does not prevent the others. */
export async function measureAll(services: Services, measures: readonly Measure[]): Promise<void> {
  // First, because the queries take connections themselves.
  measurePools(services);
  const results = await Promise.allSettled([measureQueues, ...measures].map((measure) => measure(services)));
  const failed = results.filter((result) => result.status === "rejected");
  for (const { reason } of failed) services.log.warn({ err: reason }, "cannot measure a gauge of /metrics");
  measureFailed.set(failed.length > 0 ? 1 : 0);
}

function measurePools({ db }: Services): void {
  for (const [pool, of] of [
    ["work", db.pool],
    ["screens", db.readers],
  ] as const) {
    poolConnections.set({ pool, state: "busy" }, of.totalCount - of.idleCount);
    poolConnections.set({ pool, state: "idle" }, of.idleCount);
    poolWaiting.set({ pool }, of.waitingCount);
  }
}

/** Measures the queues by the database's clock, which they use. */
async function measureQueues({ db }: Services): Promise<void> {
  const { rows } = await db.withSystem((tx) =>
    sql<{ queue: string; count: number; seconds: number }>`
      SELECT q.name AS queue, count(j.id)::int AS count,
        coalesce(extract(epoch FROM now() - min(j.created_on)), 0)::float8 AS seconds
      FROM pgboss.queue q
      LEFT JOIN pgboss.job j ON j.name = q.name AND j.state IN ('created', 'retry', 'active')
      GROUP BY q.name
    `.execute(tx),
  );
  for (const { queue, count, seconds } of rows) {
    jobsNotDone.set({ queue }, count);
    jobOldestSeconds.set({ queue }, seconds);
  }
}
