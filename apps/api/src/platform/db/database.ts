/**
 * The only way to the data. Every query runs inside a transaction that first gave up the connection's own rights:
 * `withCompany` and `readCompany` for one company's rows, `withSystem` for the few questions that span companies.
 */
import { defaultInstallationLimits, type InstallationLimits } from "@malote/domain/payment-limits";
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
  type QueryResult,
} from "kysely";
import pg from "pg";
import { passing } from "../fail-points.ts";
import { preparedNameOf } from "./prepared.ts";

// int8 arrives as text: money columns are bounded by CHECKs to what a number holds exactly, and this makes sure of it.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new Error(`a number past what can be held exactly: ${text}`);
  return number;
});
// A calendar date stays the text it is; a Date would move it to a time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

/**
 * A transaction, which ends with the function it was given to. Statements run in the order they were begun in, and none waits
 * for another's answer unless the caller does: those that can go together are begun together, and cost one trip.
 */
export interface AnyTx extends QueryExecutorProvider {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
}

/** A transaction on one company's data. `afterCommit` is for waking whoever waits for what was written. */
export interface Tx extends AnyTx {
  readonly companyId: string;
  /** What the installation's operator set for all companies: a rule of every transaction, like the time zone. */
  readonly installation: InstallationLimits;
  afterCommit(work: () => void): void;
  /** For COPY, which the query builder does not speak. */
  stream<Stream extends pg.Submittable>(query: Stream): Stream;
}

/** What somebody waits for at a screen ends earlier than work in the background. */
export interface ReadLimits {
  statementMs: number;
  lockMs: number;
}

export interface Database {
  withCompany<T>(companyId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** For what only reads, which PostgreSQL then holds it to: nobody waits for the end of a transaction that wrote nothing. */
  readCompany<T>(companyId: string, work: (tx: Tx) => Promise<T>, limits?: ReadLimits): Promise<T>;
  withSystem<T>(work: (tx: AnyTx) => Promise<T>): Promise<T>;
  /** The sandbox network's own schema; the product's code has no business there. */
  withSandbox<T>(work: (tx: AnyTx) => Promise<T>): Promise<T>;
  readonly pool: pg.Pool;
  ping(): Promise<void>;
  close(): Promise<void>;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Serialization failures and deadlocks: PostgreSQL asks to be tried again. */
const tryAgainCodes = new Set(["40001", "40P01"]);
const triesMax = 6;
/** What PostgreSQL says of every statement behind one that failed in the same transaction. */
const behindFailureCode = "25P02";

const codeOf = (error: unknown) => (error as { code?: string } | null)?.code ?? "";

const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();

/** A transaction that has begun, and how to end it. */
interface OpenTransaction {
  tx: AnyTx;
  client: pg.PoolClient;
  /** Settled when the answer to the first statement is there. */
  begun: Promise<unknown>;
  afterCommit: (() => void)[];
}

/** What statements run on until the transaction ends. From then on the connection is somebody else's. */
function statementsOn(client: pg.PoolClient) {
  let ended = false;
  let failure: unknown;
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql: text, parameters }: CompiledQuery) {
      if (ended) throw new Error("a statement after the end of its transaction");
      const name = preparedNameOf(text);
      const values = [...parameters];
      try {
        const { rows } = await (name ? client.query({ name, text, values }) : client.query(text, values));
        return { rows: rows as Row[] };
      } catch (error) {
        // Whichever of them the caller learns of first, it is the cause that says what to answer and whether to try again.
        if (codeOf(error) === behindFailureCode && failure) throw failure;
        failure ??= error;
        throw error;
      }
    },
    streamQuery() {
      throw new Error("nothing here is read by a cursor");
    },
  };
  const executor = new DefaultQueryExecutor(compiler, adapter, {
    provideConnection: (consumer) => consumer(connection),
  });
  const tx: AnyTx = {
    getExecutor: () => executor,
    executeQuery: (query) => executor.executeQuery(query),
  };
  return {
    tx,
    end() {
      ended = true;
    },
  };
}

/** node-postgres refuses streams where it pipelines, so a connection does until it is given one. */
const pipelining = (client: pg.PoolClient, on: boolean) => Object.assign(client, { pipeline: on });

export function openDatabase(
  config: pg.PoolConfig,
  onRetry: () => void = () => undefined,
  installation: InstallationLimits = defaultInstallationLimits,
): Database {
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
  // Nor one that dies at work: its query fails, and that is reported where it was asked.
  pool.on("connect", (client) => void client.on("error", () => undefined));

  /** Begins and gives up the connection's own rights in one trip: there is no moment with more of them. */
  async function attempt<T>(
    setUp: string,
    isReading: boolean,
    work: (open: OpenTransaction) => Promise<T>,
  ): Promise<{ result: T; afterCommit: (() => void)[] }> {
    const client = pipelining(await pool.connect(), true);
    const { tx, end } = statementsOn(client);
    const afterCommit: (() => void)[] = [];
    let broken = false;
    try {
      const begun = client.query(`BEGIN; ${setUp}`);
      // Who only reads sends on at once. Should this fail, what was read is thrown away; what writes must not run without it.
      if (isReading) begun.catch(() => undefined);
      else await begun;
      const result = await work({ tx, client, begun, afterCommit });
      passing("before-commit");
      end();
      const { command } = await client.query("COMMIT");
      if (command !== "COMMIT") throw new Error("a transaction went on after one of its statements failed");
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
  ): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        const { result, afterCommit } = await attempt(setUp, isReading, work);
        passing("after-commit");
        for (const wake of afterCommit) wake();
        return result;
      } catch (error) {
        if (!tryAgainCodes.has(codeOf(error)) || tried === triesMax) throw error;
        onRetry();
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** tried));
      }
    }
  }

  return {
    pool,
    async withCompany(companyId, work) {
      return inTransaction(rightsOf(companyId), (open) => work(txOf(companyId, installation, open)));
    },
    readCompany: (companyId, work, limits) =>
      new Promise((resolve, reject) => {
        inTransaction(
          `SET TRANSACTION READ ONLY; ${rightsOf(companyId)}${limits ? `; ${limitsOf(limits)}` : ""}`,
          async (open) => {
            const answer = await work(txOf(companyId, installation, open));
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
    close: () => pool.end(),
  };
}

function rightsOf(companyId: string): string {
  if (!uuidPattern.test(companyId)) throw new Error("withCompany needs a company id");
  return `SET LOCAL ROLE malote_app; SET LOCAL app.company_id = '${companyId}'`;
}

const limitsOf = ({ statementMs, lockMs }: ReadLimits): string =>
  `SET LOCAL statement_timeout = ${Math.ceil(statementMs)}; SET LOCAL lock_timeout = ${Math.ceil(lockMs)}`;

function txOf(
  companyId: string,
  installation: InstallationLimits,
  { tx, client, afterCommit }: OpenTransaction,
): Tx {
  return {
    ...tx,
    companyId,
    installation,
    afterCommit: (wake) => void afterCommit.push(wake),
    stream: (query) => pipelining(client, false).query(query),
  };
}
