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
import type { RunStatement } from "./batch.ts";
import { preparedNameOf } from "./prepared.ts";

/**
 * Transaction, which ends when the function that received it returns. Statements run in the order in which they were
 * started, without waiting for answers unless the caller does: statements started together cost one round trip.
 */
export interface AnyTx extends QueryExecutorProvider {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
}

/** Error code of statements after a failed one in the same transaction. */
const behindFailureCode = "25P02";

export const codeOf = (error: unknown) => (error as { code?: string } | null)?.code ?? "";

const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();

/** Transaction that has begun, with the functions that end it. */
export interface OpenTransaction {
  tx: AnyTx;
  client: pg.PoolClient;
  /** Settles when the answer to the first statement arrives. */
  begun: Promise<unknown>;
  afterCommit: (() => void)[];
}

/** Runs each statement separately; statements started together leave in one write. */
export const oneByOne =
  (client: pg.PoolClient): RunStatement =>
  async (text, given) => {
    const name = preparedNameOf(text);
    const values = [...given];
    sendTogether(client);
    return (await (name ? client.query({ name, text, values }) : client.query(text, values))).rows;
  };

/** Runs statements until the transaction ends; afterwards the connection belongs to another caller. */
export function statementsOn(send: RunStatement) {
  let ended = false;
  const failures: unknown[] = [];
  /** Statements that were sent and have no answer yet. */
  const open = new Set<Promise<unknown>>();
  async function run<Row>({ sql: text, parameters }: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    if (ended) throw new Error("a statement was sent after the end of its transaction");
    const answer = send(text, parameters);
    open.add(answer);
    try {
      return { rows: (await answer) as Row[] };
    } catch (error) {
      // Throw the cause instead of a follow-up error, because the cause decides about the answer and a retry.
      if (codeOf(error) === behindFailureCode && failures[0]) throw failures[0];
      failures.push(error);
      throw error;
    } finally {
      open.delete(answer);
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

/**
 * Executor without the query builder's search for a connection and without plugins, neither of which statements need
 * here.
 */
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

/** Connections that collect writes until the end of the current tick. */
const gathering = new WeakSet<pg.PoolClient>();

/** Sends statements that are started together in one write: each write costs the processor more than its content. */
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

/**
 * Switches pipelining. node-postgres refuses streams while it pipelines, so a connection pipelines until it gets a
 * stream.
 */
export const pipelining = (client: pg.PoolClient, on: boolean) => Object.assign(client, { pipeline: on });
