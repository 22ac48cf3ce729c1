/**
 * Background jobs in the same database: the transaction that requires a job enqueues it, so that neither exists without
 * the other. A handler may run twice for one job and must be idempotent.
 */
import { CompiledQuery } from "kysely";
import pg from "pg";
import { PgBoss } from "pg-boss";
import type { AnyTx, Tx } from "../db/database.ts";
import { declareSystemLock } from "../db/locks.ts";
import { preparedText } from "../db/prepared.ts";
import { reachFailPoint } from "../fail-points.ts";
import type { Log } from "../log.ts";
import { endWork, type Origin, originOfWork, within, workOfJob } from "../work.ts";

const preparingLock = declareSystemLock(7_265_003);

/** Payload of each queue's jobs. Each feature adds its queues in its `feature.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features
export interface JobData {}
export type Queue = keyof JobData;

export interface QueueRules {
  /** Maximum number of running jobs of the queue per process. */
  concurrencyMax: number;
  /** Maximum number of those for one company, so that other companies' jobs get a place. */
  concurrencyPerCompanyMax?: number;
  tries: number;
  /**
   * Longest wait between tries, in seconds: after a failure or the death of the worker, the next try follows after 1 s,
   * then 2, 4 … up to this.
   */
  retryDelaySecondsMax: number;
}

export type Queues = ReadonlyMap<Queue, QueueRules>;

/**
 * Heartbeat timeout in seconds, after which another worker takes a job over. A worker sends two heartbeats in that
 * time.
 */
const heartbeatSeconds = 6;
/**
 * Sets the timeout directly, because pg-boss accepts at least ten seconds. With ten, a dead worker's job waited 17 s
 * (goal: 15).
 */
const heartbeat = `
  UPDATE pgboss.queue SET heartbeat_seconds = ${heartbeatSeconds} WHERE heartbeat_seconds <> ${heartbeatSeconds}`;

export interface Jobs {
  enqueue<Q extends Queue>(tx: Tx, queue: Q, data: JobData[Q]): Promise<void>;
  /** Starts fetching jobs. A worker process calls it once for each queue. */
  work<Q extends Queue>(queue: Q, handler: (data: JobData[Q]) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Grants that the product's roles need to enqueue in their own transactions: the company role sees and adds its own
 * jobs and changes none. The queue itself runs as the owner of the tables. pg-boss creates its schema at the first
 * start.
 */
const grants = `
  GRANT USAGE ON SCHEMA pgboss TO malote_app, malote_system;
  REVOKE ALL ON ALL TABLES IN SCHEMA pgboss FROM malote_app;
  GRANT SELECT, INSERT ON pgboss.job, pgboss.job_common TO malote_app;
  GRANT SELECT ON pgboss.queue TO malote_app;
  GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA pgboss TO malote_system;
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgboss TO malote_app, malote_system;
  DO $$
  DECLARE
    jobs text;
  BEGIN
    FOREACH jobs IN ARRAY ARRAY['job', 'job_common'] LOOP
      -- Only once, because the change waits for every transaction on the table.
      CONTINUE WHEN EXISTS (SELECT FROM pg_policies WHERE schemaname = 'pgboss' AND tablename = jobs AND policyname = 'own_jobs');
      EXECUTE format('ALTER TABLE pgboss.%I ENABLE ROW LEVEL SECURITY', jobs);
      EXECUTE format('CREATE POLICY own_jobs ON pgboss.%I TO malote_app USING (data ->> ''companyId'' = (SELECT current_company())::text)', jobs);
      EXECUTE format('CREATE POLICY every_job ON pgboss.%I TO malote_system USING (true)', jobs);
    END LOOP;
  END $$;
`;

export async function openJobs(
  connection: pg.ClientConfig,
  log: Log,
  works: boolean,
  queues: Queues,
): Promise<Jobs> {
  const boss = new PgBoss({
    ...(connection as { connectionString?: string }),
    max: 4,
    application_name: "malote jobs",
    useListenNotify: works,
    schedule: false,
    supervise: works,
    // Takeover on an idle machine: 6 s without a heartbeat, 2 s until the next check, 2 s of pause, 1 s until the job
    // is fetched.
    monitorIntervalSeconds: 1,
    superviseIntervalSeconds: 2,
  });
  boss.on("error", (error) => log.warn({ err: error }, "the job queue reported an error"));
  await boss.start();
  await prepareOnce(connection, async (client) => {
    await createQueues(boss, queues);
    await client.query(heartbeat);
    await client.query(grants);
  });
  // Supervise at once after a pause of all processes, so that jobs of dead workers do not wait for the next check.
  if (works) boss.supervise().catch((error) => log.warn({ err: error }, "the job queue reported an error"));

  return {
    async enqueue(tx, queue, data) {
      const group = queues.get(queue)?.concurrencyPerCompanyMax && { group: { id: tx.companyId } };
      const origin = originOfWork();
      await boss.send(queue, Object.assign({}, data, origin && { origin }), { db: inside(tx), ...group });
    },
    async work(queue, handler) {
      const { concurrencyMax = 1, concurrencyPerCompanyMax } = queues.get(queue) ?? {};
      // Only workers created together count the jobs of a company.
      const together = concurrencyPerCompanyMax
        ? { localConcurrency: concurrencyMax, localGroupConcurrency: concurrencyPerCompanyMax }
        : undefined;
      for (let worker = 0; worker < (together ? 1 : concurrencyMax); worker++) {
        const id = await boss.work(
          queue,
          {
            pollingIntervalSeconds: 1,
            notifyPollingIntervalSeconds: 1,
            ...together,
          } as Parameters<typeof boss.work>[1],
          async (jobs: FetchedJob[]) => {
            // Without this, pg-boss waits one polling interval between jobs.
            boss.notifyWorker(id);
            for (const job of jobs) await runJob(queue, job, (data) => handler(data as never));
          },
        );
      }
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };

  /**
   * Runs a job. The queue stores a job's error where every company can read it, so it gets a code, and the log gets the
   * details.
   */
  async function runJob(
    queue: Queue,
    { id, data: { origin, ...data } }: FetchedJob,
    handler: (data: object) => Promise<void>,
  ): Promise<void> {
    const company = data.companyId;
    const work = workOfJob({ queue, job: id, ...(company && { company }) }, origin);
    const since = performance.now();
    const ms = () => Math.round((performance.now() - since) * 10) / 10;
    await within(work, async () => {
      try {
        reachFailPoint("after-job-fetched");
        await handler(data);
        reachFailPoint("before-job-acknowledged");
        log.info({ ms: ms() }, "job");
        endWork(work);
      } catch (error) {
        log.error({ err: error, ms: ms() }, "job failed");
        endWork(work, error);
        throw new Error(String((error as { code?: string }).code ?? "failed"));
      }
    });
  }
}

interface FetchedJob {
  id: string;
  data: { companyId?: string; origin?: Origin };
}

/** Serialises the preparation by processes that start at the same time. */
async function prepareOnce(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [preparingLock]);
    await work(client);
  } finally {
    await client.end();
  }
}

async function createQueues(boss: PgBoss, queues: Queues): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const [name, { tries, retryDelaySecondsMax }] of queues) {
    const rules = {
      retryLimit: tries,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: retryDelaySecondsMax,
    };
    const there = known.get(name);
    if (!there) {
      await boss.createQueue(name, {
        ...rules,
        expireInSeconds: 600,
        heartbeatSeconds: 10,
        deleteAfterSeconds: 3600,
        notify: true,
      } as Parameters<typeof boss.createQueue>[1]);
    } else if (there.retryLimit !== tries || there.retryDelayMax !== retryDelaySecondsMax) {
      await boss.updateQueue(name, rules);
    }
  }
}

/** Lets the queue write through our transaction. Its statements are prepared, because there is only one per queue. */
const inside = (tx: AnyTx) => ({
  async executeSql(text: string, values: unknown[] = []) {
    const { rows } = await tx.executeQuery(CompiledQuery.raw(preparedText(text), values));
    return { rows: rows as unknown[] };
  },
});
