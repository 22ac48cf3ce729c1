/**
 * Work in the background, on the same database: a job is enqueued by the transaction that makes it necessary, so that
 * neither is ever without the other. Handlers may run twice for one job and must not mind.
 */
import { CompiledQuery } from "kysely";
import pg from "pg";
import { PgBoss } from "pg-boss";
import type { AnyTx, Tx } from "../db/database.ts";
import { plannedOnce } from "../db/plan-once.ts";
import { passing } from "../fail-points.ts";
import type { Log } from "../log.ts";

/** What can be asked for, and with which data. */
export interface JobData {
  "close-batch": { companyId: string; batchId: string };
  "pay-waiting-batches": { companyId: string };
  "send-payments": { companyId: string };
  "send-refunds": { companyId: string };
  "cancel-charges": { companyId: string; paymentLinkId: string };
  "remember-receivers": { companyId: string; batchId: string };
  "import-sheet": { companyId: string; sheetId: string };
  "make-receipts": { companyId: string; requestId: string };
  "make-report": { companyId: string; requestId: string };
  "tell-infractions": { companyId: string };
  "export-infractions": { companyId: string; requestId: string };
  "send-mail": { companyId: string; mailId: string };
  "ask-directory": { companyId: string; keyId: string };
  "send-pix-key-code": { companyId: string; keyId: string };
}
export type Queue = keyof JobData;

interface QueueRules {
  /** Jobs of the queue at work at the same time in one process. */
  atOnce: number;
  tries: number;
  /** A try that failed, or that its worker did not outlive, is followed by the next after 1 s, then 2, 4 … up to this. */
  restSecondsMax: number;
}

const queues: Record<Queue, QueueRules> = {
  // Money waits for these. A worker's death is no reason to rest: what it left has already waited for its last sign of life.
  "close-batch": { atOnce: 2, tries: 200, restSecondsMax: 2 },
  "pay-waiting-batches": { atOnce: 2, tries: 200, restSecondsMax: 2 },
  "send-payments": { atOnce: 2, tries: 200, restSecondsMax: 2 },
  "send-refunds": { atOnce: 1, tries: 200, restSecondsMax: 2 },
  "cancel-charges": { atOnce: 1, tries: 200, restSecondsMax: 2 },
  "remember-receivers": { atOnce: 1, tries: 200, restSecondsMax: 2 },
  // A process that dies with the job uses up a try; three restarts in a row must not leave a sheet unread for ever.
  "import-sheet": { atOnce: 1, tries: 50, restSecondsMax: 2 },
  "make-receipts": { atOnce: 1, tries: 20, restSecondsMax: 30 },
  "make-report": { atOnce: 1, tries: 20, restSecondsMax: 30 },
  "tell-infractions": { atOnce: 1, tries: 20, restSecondsMax: 30 },
  "export-infractions": { atOnce: 1, tries: 20, restSecondsMax: 30 },
  "send-mail": { atOnce: 2, tries: 12, restSecondsMax: 60 },
  // Somebody looks at a screen until the directory has answered.
  "ask-directory": { atOnce: 1, tries: 50, restSecondsMax: 10 },
  // A code is worth nothing after half an hour.
  "send-pix-key-code": { atOnce: 1, tries: 12, restSecondsMax: 60 },
};

/** Seconds without a sign of life, which is given twice in that time, after which another worker takes a job over. */
const heartbeatSeconds = 6;
/** pg-boss takes no less than ten from its callers. With those, what a worker left lay there for 17 s (goal: 15). */
const heartbeat = `
  UPDATE pgboss.queue SET heartbeat_seconds = ${heartbeatSeconds} WHERE heartbeat_seconds <> ${heartbeatSeconds}`;

export interface Jobs {
  enqueue<Q extends Queue>(tx: Tx, queue: Q, data: JobData[Q]): Promise<void>;
  /** Starts fetching; called once for each queue by a process that works. */
  work<Q extends Queue>(queue: Q, handler: (data: JobData[Q]) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** The rights the product's roles need to enqueue in their own transactions. pg-boss makes its schema at first start. */
const grants = `
  GRANT USAGE ON SCHEMA pgboss TO malote_app, malote_system;
  GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA pgboss TO malote_app, malote_system;
  GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pgboss TO malote_app, malote_system;
`;

export async function openJobs(connection: pg.ClientConfig, log: Log, works: boolean): Promise<Jobs> {
  const boss = new PgBoss({
    ...(connection as { connectionString?: string }),
    max: 4,
    application_name: "malote jobs",
    useListenNotify: works,
    schedule: false,
    supervise: works,
    // Six seconds without a sign of life, two until somebody looks, two of rest and one until it is fetched, on a quiet machine.
    monitorIntervalSeconds: 1,
    superviseIntervalSeconds: 2,
  });
  boss.on("error", (error) => log.warn({ err: error }, "job queue"));
  await boss.start();
  await onePrepares(connection, async (client) => {
    await createQueues(boss);
    await client.query(heartbeat);
    await client.query(grants);
  });
  // Whoever starts may be the first in a while, and what dead workers left need not wait for the next look.
  if (works) boss.supervise().catch((error) => log.warn({ err: error }, "job queue"));

  return {
    async enqueue(tx, queue, data) {
      await boss.send(queue, data, { db: inside(tx) });
    },
    async work(queue, handler) {
      for (let worker = 0; worker < queues[queue].atOnce; worker++) {
        const id = await boss.work(
          queue,
          { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 1 } as Parameters<typeof boss.work>[1],
          async (jobs: { data: unknown }[]) => {
            // By itself the worker would rest after each job, however many stand in line.
            boss.notifyWorker(id);
            for (const job of jobs) await told(queue, () => handler(job.data as never));
          },
        );
      }
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };

  /** The queue keeps an error with its job, for every company to see: it gets a code, the log the facts. */
  async function told(queue: Queue, work: () => Promise<void>): Promise<void> {
    try {
      passing("after-job-fetched");
      await work();
      passing("before-job-acknowledged");
    } catch (error) {
      log.error({ err: error, queue }, "job failed");
      throw new Error(String((error as { code?: string }).code ?? "failed"));
    }
  }
}

/** Any number, the same for every Malote: processes that start together prepare one after another. */
const prepareLock = 7_265_003;

async function onePrepares(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [prepareLock]);
    await work(client);
  } finally {
    await client.end();
  }
}

async function createQueues(boss: PgBoss): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const [name, { tries, restSecondsMax }] of Object.entries(queues)) {
    const rules = { retryLimit: tries, retryDelay: 1, retryBackoff: true, retryDelayMax: restSecondsMax };
    const there = known.get(name);
    if (!there) {
      await boss.createQueue(name, {
        ...rules,
        expireInSeconds: 600,
        heartbeatSeconds: 10,
        deleteAfterSeconds: 3600,
        notify: true,
      } as Parameters<typeof boss.createQueue>[1]);
    } else if (there.retryLimit !== tries || there.retryDelayMax !== restSecondsMax) {
      await boss.updateQueue(name, rules);
    }
  }
}

/** Lets the queue write through our transaction. It has one statement for each queue. */
const inside = (tx: AnyTx) => ({
  async executeSql(text: string, values: unknown[] = []) {
    const { rows } = await tx.executeQuery(CompiledQuery.raw(plannedOnce(text), values));
    return { rows: rows as unknown[] };
  },
});
