/**
 * The only access to the data. Every query runs inside a transaction that first drops the connection's own rights:
 * `withCompany` and `readCompany` for one company's rows, `withSystem` for the few queries that span companies.
 */
import pg from "pg";
import { reachFailPoint } from "../fail-points.ts";
import { BearerChanged, type BearerCheck, openScreenReads, type ScreenReads } from "./screen-reads.ts";
import {
  type AnyTx,
  codeOf,
  type OpenTransaction,
  oneByOne,
  pipelining,
  sendTogether,
  statementsOn,
} from "./statements.ts";

export type { AnyTx } from "./statements.ts";

// int8 arrives as text: CHECKs limit money columns to safe integers, and this parser verifies it.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new Error(`a number beyond the safe integers: ${text}`);
  return number;
});
// A calendar date stays text; a Date would apply a time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/** A transaction on one company's data. `afterCommit` wakes code that waits for the written rows. */
export interface Tx extends AnyTx {
  readonly companyId: string;
  afterCommit(work: () => void): void;
  /** Runs a COPY stream, which the query builder does not support. */
  stream<Stream extends pg.Submittable>(query: Stream): Stream;
}

export interface Database {
  /**
   * Runs `work` in a transaction. Refuses with `BearerChanged`, before `work` begins, when the bearer's check fails.
   */
  withCompany<T>(companyId: string, work: (tx: Tx) => Promise<T>, bearerCheck?: BearerCheck): Promise<T>;
  /** Runs a read-only transaction, which PostgreSQL enforces: a read does not wait for a commit. */
  readCompany<T>(companyId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs a read that a user waits for at a screen (screen-reads.ts). */
  readForScreen: ScreenReads<Tx>["read"];
  /** Throws when the reads of screens would use a pooler. */
  requireOwnReaders(): Promise<void>;
  withSystem<T>(work: (tx: AnyTx) => Promise<T>): Promise<T>;
  readonly pool: pg.Pool;
  /** Connection pool of `readForScreen`. */
  readonly readers: pg.Pool;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Database with access to the sandbox's schema, which features do not get. */
export interface DatabaseWithSandbox extends Database {
  withSandbox<T>(work: (tx: AnyTx) => Promise<T>): Promise<T>;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Serialization failures and deadlocks, after which PostgreSQL requires a retry. */
const tryAgainCodes = new Set(["40001", "40P01"]);
const triesMax = 6;
export function openDatabase(
  config: pg.PoolConfig,
  onRetry: () => void = () => undefined,
  /** Configuration of the same database without a pooler. */
  direct: pg.PoolConfig = config,
): DatabaseWithSandbox {
  const pool = new pg.Pool({
    // About four connections per core: more clients on contended rows do less work.
    max: 12,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    application_name: "malote",
    keepAlive: true,
    // A process that disappears during a transaction must not lock a company's accounts for hours.
    idle_in_transaction_session_timeout: 60_000,
    lock_timeout: 15_000,
    statement_timeout: 120_000,
    ...config,
  });
  // An error of an idle connection must not end the process; the next query reports it.
  pool.on("error", () => undefined);
  // An error of a busy connection must not end the process either: the query fails, and its caller gets the error.
  pool.on("connect", (client) => void client.on("error", () => undefined));

  /**
   * Begins a transaction and drops the connection's own rights in one round trip, so that no statement runs with more
   * rights.
   */
  async function attempt<T>(
    setUp: string,
    isReading: boolean,
    work: (open: OpenTransaction) => Promise<T>,
    bearerCheck: BearerCheck | undefined,
  ): Promise<{ result: T; afterCommit: (() => void)[] }> {
    const client = pipelining(await pool.connect(), true);
    const { tx, end } = statementsOn(oneByOne(client));
    const afterCommit: (() => void)[] = [];
    let broken = false;
    try {
      sendTogether(client);
      const begun = client.query(`BEGIN; ${setUp}`);
      // A read sends its statements without waiting for BEGIN; if BEGIN fails, their answers are discarded. A write
      // must wait.
      if (isReading) begun.catch(() => undefined);
      else await begunWhere(begun, bearerCheck?.(tx));
      const result = await work({ tx, client, begun, afterCommit });
      reachFailPoint("before-commit");
      end();
      const { command } = await client.query("COMMIT");
      if (command !== "COMMIT") throw new Error("a transaction continued after one of its statements failed");
      return { result, afterCommit };
    } catch (error) {
      end();
      await client.query("ROLLBACK").catch(() => {
        broken = true;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function inTransaction<T>(
    setUp: string,
    work: (open: OpenTransaction) => Promise<T>,
    isReading = false,
    bearerCheck?: BearerCheck,
  ): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        const { result, afterCommit } = await attempt(setUp, isReading, work, bearerCheck);
        reachFailPoint("after-commit");
        for (const wake of afterCommit) wake();
        return result;
      } catch (error) {
        if (!tryAgainCodes.has(codeOf(error)) || tried === triesMax) throw error;
        onRetry();
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** tried));
      }
    }
  }

  const screens = openScreenReads(
    direct,
    (companyId, open) => txOf(companyId, open),
    (pid) => pool.query("SELECT pg_terminate_backend($1::int)", [pid]),
  );

  return {
    pool,
    readers: screens.pool,
    readForScreen: screens.read,
    requireOwnReaders: screens.requireOwnConnections,
    async withCompany(companyId, work, bearerCheck) {
      const inside = (open: OpenTransaction) => work(txOf(companyId, open));
      return inTransaction(rightsOf(companyId), inside, false, bearerCheck);
    },
    readCompany: (companyId, work) =>
      new Promise((resolve, reject) => {
        inTransaction(
          `SET TRANSACTION READ ONLY; ${rightsOf(companyId)}`,
          async (open) => {
            const answer = await work(txOf(companyId, open));
            await open.begun;
            resolve(answer);
          },
          true,
        ).catch(reject);
      }),
    withSystem: (work) => inTransaction("SET LOCAL ROLE malote_system", ({ tx }) => work(tx)),
    withSandbox: (work) => inTransaction("SET LOCAL ROLE malote_sandbox", ({ tx }) => work(tx)),
    async ping() {
      await pool.query("SELECT 1");
    },
    async close() {
      await Promise.all([pool.end(), screens.pool.end()]);
    },
  };
}

/**
 * Awaits BEGIN and the bearer's check, which runs concurrently: it only reads, and its result is ignored when BEGIN
 * failed.
 */
async function begunWhere(begun: Promise<unknown>, held: Promise<boolean> | undefined): Promise<void> {
  const [beginning, holding] = await Promise.allSettled([begun, held ?? true]);
  if (beginning.status === "rejected") throw beginning.reason;
  if (holding.status === "rejected") throw holding.reason;
  if (!holding.value) throw new BearerChanged("the remembered bearer has changed");
}

function rightsOf(companyId: string): string {
  if (!uuidPattern.test(companyId)) throw new Error("a transaction needs a company id");
  return `SET LOCAL ROLE malote_app; SET LOCAL app.company_id = '${companyId}'`;
}

function txOf(companyId: string, { tx, client, afterCommit }: OpenTransaction): Tx {
  return {
    ...tx,
    companyId,
    afterCommit: (wake) => void afterCommit.push(wake),
    stream: (query) => pipelining(client, false).query(query),
  };
}
