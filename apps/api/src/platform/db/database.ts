/**
 * The only way to the data. Every query runs inside a transaction that first gave up the connection's own rights:
 * `withCompany` and `readCompany` for one company's rows, `withSystem` for the few questions that span companies.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  type Transaction,
} from "kysely";
import pg from "pg";
import { passing } from "../fail-points.ts";
import { planNameOf } from "./plan-once.ts";

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
  /** For what only reads, which PostgreSQL then holds it to: nobody waits for the end of a transaction that wrote nothing. */
  readCompany<T>(companyId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
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

/** A transaction that is about to begin: what it gives up first, and the connection it got. */
interface Beginning {
  setUp: string;
  connection?: pg.PoolClient;
}
const beginnings = new AsyncLocalStorage<Beginning>();

/** Begins and gives up the connection's own rights in one trip: there is no moment with more of them. */
class Driver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const beginning = beginnings.getStore();
    if (!beginning) throw new Error("a transaction outside withCompany, withSystem and withSandbox");
    await connection.executeQuery(CompiledQuery.raw(`BEGIN; ${beginning.setUp}`));
  }
}

class Dialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }
  override createDriver() {
    return new Driver(this.#config);
  }
}

/** What the query builder sees of a connection: statements marked to be planned once go by their names. */
function keepingPlans(client: pg.PoolClient): PostgresPoolClient {
  const query = (text: string, values: unknown[]) => {
    const name = planNameOf(text);
    return name ? client.query({ name, text, values }) : client.query(text, values);
  };
  // The builder would also give a cursor, which nobody here asks for.
  return {
    query: query as PostgresPoolClient["query"] & typeof query,
    release: (error) => client.release(error),
  };
}

function poolOfTransactions(pool: pg.Pool): PostgresPool {
  // One for each connection, so that the query builder knows it again.
  const seen = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const known = (client: pg.PoolClient) => {
    const made = seen.get(client) ?? keepingPlans(client);
    seen.set(client, made);
    return made;
  };
  return {
    options: pool.options,
    async connect() {
      const connection = await pool.connect();
      const beginning = beginnings.getStore();
      if (beginning) beginning.connection = connection;
      return known(connection);
    },
    end: () => pool.end(),
  };
}

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
  const kysely = new Kysely<NoTables>({ dialect: new Dialect({ pool: poolOfTransactions(pool) }) });

  async function inTransaction<T>(
    setUp: string,
    work: (tx: Transaction<NoTables>, afterCommit: (() => void)[], connection: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const afterCommit: (() => void)[] = [];
      try {
        const beginning: Beginning = { setUp };
        const result = await beginnings.run(beginning, () =>
          kysely.transaction().execute(async (tx) => {
            if (!beginning.connection) throw new Error("a transaction without its connection");
            const done = await work(tx, afterCommit, beginning.connection);
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

  async function ofCompany<T>(companyId: string, mode: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!uuidPattern.test(companyId)) throw new Error("withCompany needs a company id");
    return inTransaction(
      `${mode}SET LOCAL ROLE malote_app; SET LOCAL app.company_id = '${companyId}'`,
      (transaction, afterCommit, connection) =>
        work(
          Object.assign(transaction, {
            companyId,
            client: connection,
            afterCommit: (wake: () => void) => void afterCommit.push(wake),
          }) as Tx,
        ),
    );
  }

  return {
    pool,
    withCompany: (companyId, work) => ofCompany(companyId, "", work),
    readCompany: (companyId, work) =>
      new Promise((resolve, reject) => {
        ofCompany(companyId, "SET TRANSACTION READ ONLY; ", async (tx) => resolve(await work(tx))).catch(
          reject,
        );
      }),
    withSystem: (work) => inTransaction("SET LOCAL ROLE malote_system", work),
    withSandbox: (work) => inTransaction("SET LOCAL ROLE malote_sandbox", work),
    async ping() {
      await pool.query("SELECT 1");
    },
    close: () => kysely.destroy(),
  };
}
