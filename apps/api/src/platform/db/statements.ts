/** Statements on a reserved connection: in order, together in one write, never after its release. */
import type { Writable } from "node:stream";
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
  type QueryResult,
} from "kysely";
import type pg from "pg";
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

/** Runs statements until the transaction ends. After that the connection belongs to another caller. */
export function statementsOn(client: pg.PoolClient, nameOf = preparedNameOf) {
  let ended = false;
  const failures: unknown[] = [];
  /** What was sent and has no answer yet. */
  const open = new Set<Promise<unknown>>();
  function noted<T>(asked: Promise<T>): Promise<T> {
    open.add(asked);
    const answered = () => void open.delete(asked);
    asked.then(answered, answered);
    return asked;
  }
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql: text, parameters }: CompiledQuery) {
      if (ended) throw new Error("a statement after the end of its transaction");
      const name = nameOf(text);
      const values = [...parameters];
      sendTogether(client);
      try {
        const { rows } = await noted(
          name ? client.query({ name, text, values }) : client.query(text, values),
        );
        return { rows: rows as Row[] };
      } catch (error) {
        // Whichever error the caller gets first, the cause decides what to answer and whether to try again.
        if (codeOf(error) === behindFailureCode && failures[0]) throw failures[0];
        failures.push(error);
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
    failures,
    open,
    end() {
      ended = true;
    },
  };
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
