/**
 * Reads for screens: many small queries of one company, whose transactions would cost more than the queries. The
 * connections are reserved for reads, have the product's role, are read-only from the start, and each remembers its
 * current company: no BEGIN or COMMIT is sent, and every statement is planned once. They must be connections of
 * PostgreSQL itself: a pooler would run statements on another connection, with another company (docs/operations.md).
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { inBatches, type RunStatement } from "./batch.ts";
import { anyNameOf } from "./prepared.ts";
import { type AnyTx, codeOf, type OpenTransaction, pipelining, statementsOn } from "./statements.ts";

/** Equals the number of calls that serve.ts admits at once. */
export const screenReadsMax = 8;
/** Longest time that a screen waits for its data, in milliseconds. */
const statementMs = 5_000;
const lockMs = 2_000;

/** Check that runs before the read, on the same round trip. The rows count only when it returns true. */
export type BearerCheck = (tx: AnyTx) => Promise<boolean>;

/** Error when the bearer's access changed after it was cached: none of the read rows count. */
export class BearerChanged extends Error {}

export interface ScreenReads<Tx> {
  /** Throws behind a pooler: the company would be set on one connection and the rows read on another. */
  requireOwnConnections(): Promise<void>;
  /** Reads data of one company. Refuses with `BearerChanged` when the check fails, regardless of other errors. */
  read<T>(companyId: string, work: (tx: Tx) => Promise<T>, bearerCheck?: BearerCheck): Promise<T>;
}

/** Error of a plan whose table was changed: the connection refuses the statement for the rest of its life. */
const planChangedCode = "0A000";

export function openScreenReads<Tx>(
  config: pg.PoolConfig,
  txOf: (companyId: string, open: OpenTransaction) => Tx,
  /** Ends the PostgreSQL process of a connection from another connection. */
  endBackend: (pid: number) => Promise<unknown>,
): ScreenReads<Tx> & { pool: pg.Pool } {
  const pool = new pg.Pool({
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    application_name: "malote",
    keepAlive: true,
    ...config,
    max: Math.min(config.max ?? screenReadsMax, screenReadsMax),
    options: [
      "role=malote_app",
      "default_transaction_read_only=on",
      `statement_timeout=${statementMs}`,
      `lock_timeout=${lockMs}`,
    ]
      .map((setting) => `-c ${setting}`)
      .join(" "),
  });
  // A broken connection fails only its current query, like in the other pool.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));

  /** Current company of each connection; set only while all later statements have an answer. */
  const companyOf = new WeakMap<pg.PoolClient, string>();

  async function enter(client: pg.PoolClient, apart: RunStatement, companyId: string): Promise<void> {
    if (companyOf.get(client) === companyId) return;
    companyOf.delete(client);
    // Runs apart, because a failing statement rolls back the settings of its own batch.
    const { tx } = statementsOn(apart);
    const { rows } = await sql<{ company: string; pid: number }>`
      SELECT set_config('app.company_id', ${companyId}, false) AS company, pg_backend_pid() AS pid
    `.execute(tx);
    requireSameProcess(client, rows[0]?.pid);
    companyOf.set(client, companyId);
  }

  async function endWork(client: pg.PoolClient, open: ReadonlySet<Promise<unknown>>): Promise<void> {
    await endBackend((client as unknown as { processID: number }).processID).catch(() => undefined);
    await Promise.allSettled(open);
  }

  async function attempt<T>(
    companyId: string,
    work: (tx: Tx) => Promise<T>,
    bearerCheck: BearerCheck | undefined,
  ): Promise<T> {
    const client = pipelining(await pool.connect(), true);
    const { together, apart } = inBatches(client, anyNameOf);
    const { tx, end, failures, open } = statementsOn(together);
    try {
      const entered = enter(client, apart, companyId);
      const held = bearerCheck ? bearerCheck(tx) : Promise.resolve(true);
      const read = work(txOf(companyId, { tx, client, begun: entered, afterCommit: [] }));
      const [entering, holding, reading] = await Promise.allSettled([entered, held, read]);
      if (entering.status === "rejected") throw entering.reason;
      if (holding.status === "rejected") throw holding.reason;
      if (!holding.value) throw new BearerChanged("the remembered bearer has changed");
      if (reading.status === "rejected") throw reading.reason;
      return reading.value;
    } finally {
      end();
      const isCut = open.size > 0 && !(await haveAnswers(open));
      // A failed read's remaining answers would delay the next read, so its connection is closed.
      if (isCut) await endWork(client, open);
      client.release(isCut || companyOf.get(client) !== companyId || failures.some(endsConnection));
    }
  }

  return {
    pool,
    async requireOwnConnections() {
      const client = await pool.connect();
      try {
        const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
        requireSameProcess(client, rows[0]?.pid);
      } finally {
        client.release();
      }
    },
    async read(companyId, work, bearerCheck) {
      for (let tried = 0; ; tried++) {
        try {
          return await attempt(companyId, work, bearerCheck);
        } catch (error) {
          if (codeOf(error) !== planChangedCode || tried > screenReadsMax) throw error;
        }
      }
    },
  };
}

/** Throws behind a pooler, which gives a connection a process id of its own. */
function requireSameProcess(client: pg.PoolClient, pid: number | undefined): void {
  const { processID } = client as unknown as { processID: number | null };
  if (pid !== processID)
    throw new Error(
      "reads of screens must bypass the pooler: name PostgreSQL itself in MALOTE_DIRECT_DATABASE_URL",
    );
}

/** Time to wait for the remaining answers; most of a batch is answered together. */
const momentMs = 50;

async function haveAnswers(open: ReadonlySet<Promise<unknown>>): Promise<boolean> {
  const answered = Promise.allSettled(open).then(() => true);
  return Promise.race([answered, sleep(momentMs, false)]);
}

/** Returns true unless the error is that of a single statement, which leaves a working connection. */
const endsConnection = (failure: unknown): boolean =>
  !(failure instanceof pg.DatabaseError && failure.severity === "ERROR") || failure.code === planChangedCode;
