/**
 * What screens read: many small questions of one company, whose framing would cost more than they do. The connections are kept
 * for it, as the product's role and read-only from their first moment, and each remembers the company it is at: there is no
 * transaction to begin and to end, and every statement is planned once. They must be PostgreSQL's own: behind a pooler
 * that gives each transaction another connection, the company would not be this one's (docs/operations.md).
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { type Ask, inBatches } from "./batch.ts";
import { anyNameOf } from "./prepared.ts";
import { type AnyTx, codeOf, type OpenTransaction, pipelining, statementsOn } from "./statements.ts";

/** Equals the number of calls that serve.ts admits at once. */
export const screenReadsMax = 8;
/** The longest time that a screen waits for its data. */
const statementMs = 5_000;
const lockMs = 2_000;

/** Runs before the read, on the same round trip. The rows count only where it answers true. */
export type BearerCheck = (tx: AnyTx) => Promise<boolean>;

/** The bearer's access changed since it was remembered: none of the rows read count. */
export class BearerChanged extends Error {}

export interface ScreenReads<Tx> {
  /** Fails behind a pooler: the company would be set on one connection and the rows read on another. */
  expectOwnConnections(): Promise<void>;
  /** Reads data of one company. Refuses with `BearerChanged` where the check fails, whatever other error occurred. */
  read<T>(companyId: string, work: (tx: Tx) => Promise<T>, bearerCheck?: BearerCheck): Promise<T>;
}

/** A table was changed under a plan: the connection refuses it for the rest of its life. */
const planChangedCode = "0A000";

export function openScreenReads<Tx>(
  config: pg.PoolConfig,
  txOf: (companyId: string, open: OpenTransaction) => Tx,
  /** Ends the PostgreSQL process of a connection, by another connection. */
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
  // As those of the other pool: a connection that dies fails its current query, and nothing else.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));

  /** The company a connection is set to: known while every statement sent since was answered. */
  const companyOf = new WeakMap<pg.PoolClient, string>();

  async function enter(client: pg.PoolClient, apart: Ask, companyId: string): Promise<void> {
    if (companyOf.get(client) === companyId) return;
    companyOf.delete(client);
    // Apart: a statement that fails takes back what its batch has set.
    const { tx } = statementsOn(apart);
    const { rows } = await sql<{ company: string; pid: number }>`
      SELECT set_config('app.company_id', ${companyId}, false) AS company, pg_backend_pid() AS pid
    `.execute(tx);
    expectSame(client, rows[0]?.pid);
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
      // The rest of a failed read is discarded, and would delay the next one: its connection ends with it.
      if (isCut) await endWork(client, open);
      client.release(isCut || companyOf.get(client) !== companyId || failures.some(endsConnection));
    }
  }

  return {
    pool,
    async expectOwnConnections() {
      const client = await pool.connect();
      try {
        const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
        expectSame(client, rows[0]?.pid);
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

/** A pooler gives a connection a number of its own making. */
function expectSame(client: pg.PoolClient, pid: number | undefined): void {
  const { processID } = client as unknown as { processID: number | null };
  if (pid !== processID)
    throw new Error("screens read past a pooler only: name PostgreSQL itself in MALOTE_DIRECT_DATABASE_URL");
}

/** Most of what went together is answered together. */
const momentMs = 50;

async function haveAnswers(open: ReadonlySet<Promise<unknown>>): Promise<boolean> {
  const answered = Promise.allSettled(open).then(() => true);
  return Promise.race([answered, sleep(momentMs, false)]);
}

/** A statement that failed by itself leaves a working connection; any other error does not. */
const endsConnection = (failure: unknown): boolean =>
  !(failure instanceof pg.DatabaseError && failure.severity === "ERROR") || failure.code === planChangedCode;
