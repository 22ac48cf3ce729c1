/** Statements on a reserved connection: in order, together in one write, never after its release. */
import type { Writable } from "node:stream";
import {
  type CompiledQuery,
  DefaultQueryExecutor,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
  type QueryResult,
} from "kysely";
import type pg from "pg";
import type { Ask } from "./batch.ts";
import { preparedNameOf } from "./prepared.ts";

/**
 * A transaction, which ends with the function it was given to. Statements run in the order they were begun in, and
 * none waits for another's answer unless the caller does: statements begun together cost one round trip.
 */
export interface AnyTx extends QueryExecutorProvider {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
}

/** PostgreSQL's error for every statement behind one that failed in the same transaction. */
const behindFailureCode = "25P02";

export const codeOf = (error: unknown) => (error as { code?: string } | null)?.code ?? "";

const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();

/** A transaction that has begun, and how to end it. */
export interface OpenTransaction {
  tx: AnyTx;
  client: pg.PoolClient;
  /** Settled when the answer to the first statement arrives. */
  begun: Promise<unknown>;
  afterCommit: (() => void)[];
}

/** Each statement ends by itself; those begun together leave in one write. */
export const oneByOne =
  (client: pg.PoolClient): Ask =>
  async (text, given) => {
    const name = preparedNameOf(text);
    const values = [...given];
    sendTogether(client);
    return (await (name ? client.query({ name, text, values }) : client.query(text, values))).rows;
  };

/** Runs statements until the transaction ends. After that the connection belongs to another caller. */
export function statementsOn(ask: Ask) {
  let ended = false;
  const failures: unknown[] = [];
  /** What was sent and has no answer yet. */
  const open = new Set<Promise<unknown>>();
  async function run<Row>({ sql: text, parameters }: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    if (ended) throw new Error("a statement after the end of its transaction");
    const asked = ask(text, parameters);
    open.add(asked);
    try {
      return { rows: (await asked) as Row[] };
    } catch (error) {
      // Whichever error the caller gets first, the cause decides what to answer and whether to try again.
      if (codeOf(error) === behindFailureCode && failures[0]) throw failures[0];
      failures.push(error);
      throw error;
    } finally {
      open.delete(asked);
    }
  }
  const executor = new Executor(run);
  const tx: AnyTx = {
    getExecutor: () => executor,
    executeQuery: run,
  };
  return {
    tx,
    failures,
    open,
    end() {
      ended = true;
    },
  };
}

/** The query builder words statements; it looks for a connection and has plugins change each answer, for which there is nothing here. */
class Executor extends DefaultQueryExecutor {
  readonly #run: AnyTx["executeQuery"];

  constructor(run: AnyTx["executeQuery"]) {
    super(compiler, adapter, {
      provideConnection: () => Promise.reject(new Error("statements find their connection themselves")),
    });
    this.#run = run;
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#run(query as CompiledQuery<Row>);
  }
}

/** Its writes wait for the end of the running statement. */
const gathering = new WeakSet<pg.PoolClient>();

/** Statements begun together leave in one write: each write costs the processor more than its content. */
export function sendTogether(client: pg.PoolClient): void {
  if (gathering.has(client)) return;
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  gathering.add(client);
  stream.cork();
  process.nextTick(() => {
    gathering.delete(client);
    stream.uncork();
  });
}

/** node-postgres refuses streams where it pipelines, so a connection does until it is given one. */
export const pipelining = (client: pg.PoolClient, on: boolean) => Object.assign(client, { pipeline: on });
