/**
 * An empty database of the present schema in a separate PostgreSQL, and its description of statements that never run.
 */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@malote/local-postgres/start-postgres";
import pg from "pg";
import { migrate } from "../../../apps/api/src/platform/db/migrate.ts";
import { openJobs } from "../../../apps/api/src/platform/jobs/jobs.ts";

/**
 * @typedef {{ name: string, dataTypeID: number, tableID: number, columnID: number }} Column
 * @typedef {{ columns: Column[] } | { error: string, position: number | undefined }} Description
 * @typedef {import("./boundaries.mjs").Table} Table
 */

/**
 * @typedef {Awaited<ReturnType<typeof open>>} EmptyDatabase
 */

/**
 * @param {(database: EmptyDatabase) => Promise<T>} work
 * @template T
 */
export async function inEmptyDatabase(work) {
  const dataDir = mkdtempSync(join(tmpdir(), "malote-check-"));
  // Temporary folders are private, and under root the server runs as another user.
  chmodSync(dataDir, 0o755);
  const server = await startPostgres({ dataDir, log: () => {}, durable: false });
  try {
    const connection = /** @type {any} */ (server.connection);
    await migrate(connection);
    // The queue creates its own tables, which our statements name.
    await (
      await openJobs(connection, /** @type {any} */ (undefined), false, /** @type {any} */ (new Map()))
    ).stop();
    const client = new pg.Client(connection);
    await client.connect();
    try {
      return await work(await open(client));
    } finally {
      await client.end();
    }
  } finally {
    await server.stop();
    rmSync(realpathSync(join(dataDir, "postgres")), { recursive: true });
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** @param {pg.Client} client */
async function open(client) {
  const { rows } = await client.query(`
    SELECT a.attrelid || ' ' || a.attnum AS key, c.relname AS table, a.attname AS name, a.attnotnull AS "isPresent"
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE a.attnum > 0`);
  /** @type {Map<string, { table: string, name: string, isPresent: boolean }>} */
  const columns = new Map(rows.map((row) => [row.key, row]));
  return {
    client,
    columns,
    tables: await tablesIn(client),
    describe: (text) => descriptionOf(client, text),
    /**
     * Like `describe`, with the tables of the statement, after the statements of the same transaction that create a
     * table for it.
     */
    describeAfter: (makers, text) =>
      inPassing(client, async () => {
        for (const maker of makers) await client.query(maker);
        return withTables(client, await descriptionOf(client, text));
      }),
    /**
     * Runs the few statements that PostgreSQL does not analyse before running them. The database is empty, so nothing
     * changes.
     */
    tryOut: (texts) =>
      inPassing(client, async () => {
        try {
          for (const text of texts) await client.query(text);
          return withTables(client, { columns: [] });
        } catch (/** @type {any} */ error) {
          return { error: error.message, position: undefined };
        }
      }),
  };
}

const schemas = ["public", "sandbox", "pgboss"];
const nameOfTable = `CASE n.nspname WHEN 'public' THEN c.relname ELSE n.nspname || '.' || c.relname END`;

/**
 * Tables that may have an owner, and those that must: the queue owns its tables, and our folders declare some of them.
 */
async function tablesIn(client) {
  const { rows } = await client.query(
    `SELECT ${nameOfTable} AS name, n.nspname <> 'pgboss' AS "isOurs" FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = ANY($1) ORDER BY 1`,
    [schemas],
  );
  return {
    all: rows.map(({ name }) => name),
    ours: rows.filter(({ isOurs }) => isOurs).map(({ name }) => name),
  };
}

/**
 * Adds the tables of a statement that was parsed or run in this transaction, and whether it writes them: PostgreSQL
 * locks a written table more strongly than one that is read or whose rows are locked.
 */
async function withTables(client, description) {
  if ("error" in description) return description;
  const { rows } = await client.query(
    `SELECT ${nameOfTable} AS name, bool_or(l.mode NOT IN ('AccessShareLock', 'RowShareLock')) AS writes
     FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE l.pid = pg_backend_pid() AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = ANY($1)
     GROUP BY 1 ORDER BY 1`,
    [schemas],
  );
  return { ...description, tables: rows };
}

/**
 * @param {() => Promise<T>} work
 * @template T
 */
async function inPassing(client, work) {
  await client.query("BEGIN");
  try {
    return await work();
  } finally {
    await client.query("ROLLBACK");
  }
}

/** @returns {Promise<Description>} */
function descriptionOf(client, text) {
  return new Promise((resolve) => {
    /** @type {Column[]} */
    let columns = [];
    client.query({
      submit(connection) {
        connection.parse({ text, name: "", types: [] });
        connection.describe({ type: "S", name: "" });
        connection.sync();
      },
      handleRowDescription(message) {
        columns = message.fields;
      },
      handleError(error) {
        resolve({ error: error.message, position: error.position && Number(error.position) - 1 });
      },
      handleReadyForQuery() {
        resolve({ columns });
      },
    });
  });
}
