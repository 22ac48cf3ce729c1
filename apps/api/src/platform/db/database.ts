/**
 * The only way to the data. Every query runs inside a transaction that first gave up the connection's own rights:
 * `withCompany` for one company's rows, `withSystem` for the few questions that span companies.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { passing } from "../fail-points.ts";

// int8 arrives as text: money columns are bounded by CHECKs to what a number holds exactly, and this makes sure of it.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new Error(`a number past what can be held exactly: ${text}`);
  return number;
});
// A calendar date stays the text it is; a Date would move it to a time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

type NoTables = Record<never, never>;

/** A transaction on one company's data. `afterCommit` is for waking whoever waits for what was written. */
export interface Tx extends Transaction<NoTables> {
  readonly companyId: string;
  afterCommit(work: () => void): void;
  /** The connection below, for COPY, which the query builder does not speak. Only until the transaction ends. */
  readonly client: pg.PoolClient;
}

export interface Database {
  withCompany<T>(companyId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  withSystem<T>(work: (tx: Transaction<NoTables>) => Promise<T>): Promise<T>;
  /** The sandbox network's own schema; the product's code has no business there. */
  withSandbox<T>(work: (tx: Transaction<NoTables>) => Promise<T>): Promise<T>;
  readonly pool: pg.Pool;
  ping(): Promise<void>;
  close(): Promise<void>;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Serialization failures and deadlocks: PostgreSQL asks to be tried again. */
const tryAgainCodes = new Set(["40001", "40P01"]);
const triesMax = 6;

const codeOf = (error: unknown) => (error as { code?: string } | null)?.code ?? "";

export function openDatabase(config: pg.PoolConfig, onRetry: () => void = () => undefined): Database {
  const pool = new pg.Pool({
    // About four per core: more clients on hot rows do less work, not more.
    max: 12,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 5_000,
    application_name: "malote",
    keepAlive: true,
    // A process that vanished in the middle of its work must not hold a company's accounts for hours.
    idle_in_transaction_session_timeout: 60_000,
    lock_timeout: 15_000,
    statement_timeout: 120_000,
    ...config,
  });
  // An idle connection that dies must not take the process with it; the next query says what is wrong.
  pool.on("error", () => undefined);
  // Nor one that dies at work: its query fails, and that is told where it was asked.
  pool.on("connect", (client) => void client.on("error", () => undefined));
  const reserved = new AsyncLocalStorage<{ connection?: pg.PoolClient }>();
  const dialect = new PostgresDialect({
    pool: {
      options: pool.options,
      async connect() {
        const connection = await pool.connect();
        const holder = reserved.getStore();
        if (holder) holder.connection = connection;
        return connection;
      },
      end: () => pool.end(),
    },
  });
  const kysely = new Kysely<NoTables>({ dialect });

  async function inTransaction<T>(
    setUp: string,
    work: (tx: Transaction<NoTables>, afterCommit: (() => void)[], connection: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const afterCommit: (() => void)[] = [];
      try {
        const holder: { connection?: pg.PoolClient } = {};
        const result = await reserved.run(holder, () =>
          kysely.transaction().execute(async (tx) => {
            await tx.executeQuery(CompiledQuery.raw(setUp));
            if (!holder.connection) throw new Error("a transaction without its connection");
            const done = await work(tx, afterCommit, holder.connection);
            passing("before-commit");
            return done;
          }),
        );
        passing("after-commit");
        for (const wake of afterCommit) wake();
        return result;
      } catch (error) {
        if (!tryAgainCodes.has(codeOf(error)) || attempt === triesMax) throw error;
        onRetry();
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
      }
    }
  }

  return {
    pool,
    withCompany(companyId, work) {
      if (!uuidPattern.test(companyId)) throw new Error("withCompany needs a company id");
      return inTransaction(
        `SET LOCAL ROLE malote_app; SET LOCAL app.company_id = '${companyId}'`,
        (transaction, afterCommit, connection) =>
          work(
            Object.assign(transaction, {
              companyId,
              client: connection,
              afterCommit: (wake: () => void) => void afterCommit.push(wake),
            }) as Tx,
          ),
      );
    },
    withSystem: (work) => inTransaction("SET LOCAL ROLE malote_system", work),
    withSandbox: (work) => inTransaction("SET LOCAL ROLE malote_sandbox", work),
    async ping() {
      await pool.query("SELECT 1");
    },
    close: () => kysely.destroy(),
  };
}
