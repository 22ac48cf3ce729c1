/** Records the statements that calls of the product send, for benches that run or explain them. */
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { buildApp } from "../apps/api/src/app.ts";
import { statementsIn } from "../apps/api/src/platform/db/batch.ts";
import { type Database, openDatabase } from "../apps/api/src/platform/db/database.ts";
import { benchSecret, benchServices } from "./kit.ts";

export interface Statement {
  text: string;
  values: unknown[];
}

export interface Recorded {
  statements: Statement[];
  answer: unknown;
}

export interface Recorder extends AsyncDisposable {
  /** Returns the statements that make the answer of a GET (without sign-in, BEGIN and COMMIT), and the answer. */
  record(path: string, headers: Record<string, string>): Promise<Recorded>;
}

/** These statements are neither data nor answer: every call sends them before and after. */
const framing = /^(BEGIN|COMMIT|ROLLBACK|SET)\b|bearer_of_session|bearer_epochs|set_config\('app\./i;

function listen(db: Database, onStatement: (statement: Statement) => void): void {
  const recordAll = (client: pg.PoolClient) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const record = (asked: unknown, ...more: unknown[]) => {
      for (const { text, values = more[0] } of statementsIn(asked))
        onStatement({ text, values: Array.isArray(values) ? values : [] });
      return query(asked, ...more);
    };
    client.query = record as typeof client.query;
  };
  for (const pool of [db.pool, db.readers]) pool.on("connect", recordAll);
}

/** The product inside this process, on an existing database. */
export async function openRecorder(databaseUrl: string): Promise<Recorder> {
  const statements: Statement[] = [];
  const db = openDatabase({ connectionString: databaseUrl, max: 1 });
  listen(db, (statement) => statements.push(statement));
  const app: FastifyInstance = await buildApp(
    benchServices(db, "", benchSecret),
    { routes: () => undefined },
    {
      accepting: true,
    },
  );
  return {
    async record(path, headers) {
      statements.length = 0;
      const answer = await app.inject({ method: "GET", url: path, headers });
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`);
      return { statements: statements.filter(({ text }) => !framing.test(text)), answer: answer.json() };
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await db.close();
    },
  };
}
