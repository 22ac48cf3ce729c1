/** A database that observes the writes of a call and then rolls them back, so that every probe finds the same data. */

import { sql } from "kysely";
import type pg from "pg";
import { statementsIn } from "../../apps/api/src/platform/db/batch.ts";
import { type AnyTx, type Database, openDatabase } from "../../apps/api/src/platform/db/database.ts";

/** Returns a database whose transactions roll back. `look` runs inside each transaction after its work. */
export function undoing(db: Database, look: (tx: AnyTx) => Promise<void>): Database {
  class Undo extends Error {}
  function undone<Tx extends AnyTx>(open: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>) {
    return async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      let result: { value: T } | undefined;
      try {
        await open(async (tx) => {
          result = undefined;
          result = { value: await work(tx) };
          await look(tx);
          throw new Undo();
        });
      } catch (error) {
        if (!(error instanceof Undo) || !result) throw error;
      }
      if (!result) throw new Error("a transaction that ended without being undone");
      return result.value;
    };
  }
  return {
    ...db,
    // Includes the bearer check, which verifies a bearer remembered from another call.
    withCompany: (companyId, work, bearerCheck) =>
      undone<Parameters<typeof work>[0]>((inner) => db.withCompany(companyId, inner, bearerCheck))(work),
    withSystem: undone<AnyTx>(db.withSystem),
  };
}

/** Returns a fingerprint of all data of a company, for any caller. */
export async function fingerprint(tx: AnyTx, tables: readonly string[], companyId: string): Promise<string> {
  await sql`SET LOCAL ROLE malote_system`.execute(tx);
  const rows = tables.map(
    (table) => `SELECT '${table}' AS name, t::text AS line FROM ${table} t WHERE company_id = '${companyId}'`,
  );
  const { rows: found } = await sql<{ print: string }>`
    SELECT md5(string_agg(name || line, '' ORDER BY name, line)) AS print FROM (${sql.raw(rows.join(" UNION ALL "))}) r
  `.execute(tx);
  return found[0]?.print ?? "";
}

const byGivenCompany = /(?:\b\w+\.)?\bcompany_id = (\$\d+)(?:::uuid)?/g;
const byOtherRow = /\b\w+\.company_id = \w+\.company_id\b/g;

const stripped = (text: string) =>
  text.replace(byGivenCompany, "($1::uuid IS NOT NULL)").replace(byOtherRow, "true");

/**
 * Returns the same database for a program that lost every company filter, so that only row security is left of the two
 * guards. Transactions of the system keep their filters, because they are not about one company.
 */
export function withoutFilters(db: Database): { db: Database; rewritten(): number } {
  const { host, port, user, password, database } = db.pool.options;
  const own = openDatabase({
    max: 4,
    ...(host && { host }),
    ...(port && { port }),
    ...(user && { user }),
    ...(database && { database }),
    ...(typeof password === "string" && { password }),
  });
  let rewritten = 0;
  const onlyRowSecurity = (client: pg.PoolClient, always: boolean) => {
    let isCompanys = always;
    const strip = (text: string) => {
      if (!always && /^(SET LOCAL ROLE|begin|commit|rollback|start)/i.test(text))
        isCompanys = text.includes("malote_app");
      const bare = isCompanys ? stripped(text) : text;
      if (bare !== text) rewritten++;
      return bare;
    };
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    Object.assign(client, {
      query(first: unknown, ...rest: unknown[]) {
        if (typeof first === "string") return query(strip(first), ...rest);
        // A COPY is a stream and has no filter.
        if (isPlainQuery(first)) {
          const text = strip(first.text);
          // PostgreSQL caches a named statement by its name, so a changed text is sent without the name.
          const { name: _, ...unnamed } = first;
          return query(text === first.text ? first : { ...unnamed, text }, ...rest);
        }
        // A batch of statements is sent when the connection is requested. Changed texts are sent without their names.
        for (const statement of statementsIn(first)) {
          const text = strip(statement.text);
          if (text !== statement.text) Object.assign(statement, { text, name: undefined });
        }
        return query(first, ...rest);
      },
    });
  };
  own.pool.on("connect", (client) => onlyRowSecurity(client, false));
  // All data that screens read belongs to a company.
  own.readers.on("connect", (client) => onlyRowSecurity(client, true));
  return { db: own, rewritten: () => rewritten };
}

const isPlainQuery = (query: unknown): query is { text: string; name?: string } =>
  typeof query === "object" &&
  query !== null &&
  typeof (query as { text?: unknown }).text === "string" &&
  !("submit" in query);
