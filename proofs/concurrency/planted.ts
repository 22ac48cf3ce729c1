/** Planted faults: replaces SQL that the product sends, for the duration of some work. */
import type pg from "pg";
import type { Database } from "../../apps/api/src/platform/db/database.ts";

/** Processes whose statements are changed, with direct access to the functions of their database. */
interface Processes {
  both: readonly { services: { db: Database } }[];
  ask(text: string): Promise<unknown[]>;
}
type Rewrite = (text: string) => string;
type Query = (statement: unknown, ...rest: unknown[]) => unknown;
/** PostgreSQL caches a named statement by its name, so a new text under it would be ignored. */
type Named = { name?: string; text: string };

/**
 * Changes the statements of either process on their way to PostgreSQL, and the functions of the database, wherever the
 * product has the rule. Throws when the rule is found nowhere, because then nothing was planted.
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
      // Queries of the pool itself come with a callback; they belong to the proof, not to the product.
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
