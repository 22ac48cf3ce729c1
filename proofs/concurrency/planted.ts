/** Faults put in on purpose: the SQL is another one than the product wrote, for as long as some work takes. */
import type pg from "pg";
import type { Database } from "../../apps/api/src/platform/db/database.ts";

/** Those whose statements are changed, and a way past them to the functions of their database. */
interface Processes {
  both: readonly { services: { db: Database } }[];
  ask(text: string): Promise<unknown[]>;
}
type Rewrite = (text: string) => string;
type Query = (statement: unknown, ...rest: unknown[]) => unknown;
/** A statement with a name is known to PostgreSQL by it, and its new text would not be looked at. */
type Named = { name?: string; text: string };

/**
 * Changes what is in a statement on its way to PostgreSQL, from either process, and in the functions of the database:
 * wherever the product keeps the rule. Throws when the rule is nowhere, because then nothing was planted.
 */
export async function withSql<T>(two: Processes, rewrite: Rewrite, work: () => Promise<T>): Promise<T> {
  let planted = 0;
  const counting: Rewrite = (text) => {
    const changed = rewrite(text);
    if (changed !== text) planted++;
    return changed;
  };
  const functions = (await two.ask(
    `SELECT pg_get_functiondef(p.oid) AS source FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'`,
  )) as { source: string }[];
  const changed = functions.filter(({ source }) => rewrite(source) !== source);
  for (const { source } of changed) await two.ask(counting(source));
  const backs = two.both.map(({ services }) => rewriteStatements(services.db, counting));
  try {
    const result = await work();
    if (planted > 0) return result;
    throw new Error(`there was nothing to plant ${rewrite} in`);
  } finally {
    for (const back of backs) back();
    for (const { source } of changed) await two.ask(source);
  }
}

function rewriteStatements({ pool }: Database, rewrite: Rewrite): () => void {
  const { connect } = pool;
  const changed = new Map<pg.PoolClient, pg.PoolClient["query"]>();
  Object.assign(pool, {
    async connect(callback?: never) {
      // The pool's own questions come with a callback; they are the proof's, not the product's.
      if (callback) return (connect as Query).call(pool, callback);
      const client = await ((connect as Query).call(pool, undefined) as Promise<pg.PoolClient>);
      if (!changed.has(client)) {
        const query = client.query as Query;
        changed.set(client, client.query);
        Object.assign(client, {
          query: (statement: unknown, ...rest: unknown[]) =>
            query.call(client, rewritten(statement, rewrite), ...rest),
        });
      }
      return client;
    },
  });
  return () => {
    Object.assign(pool, { connect });
    for (const [client, query] of changed) client.query = query;
  };
}

function rewritten(statement: unknown, rewrite: Rewrite): unknown {
  if (typeof statement === "string") return rewrite(statement);
  const { name, text, ...rest } = statement as Named;
  if (typeof text !== "string") return statement;
  const changed = rewrite(text);
  return changed === text ? statement : { ...rest, text: changed };
}
