/** An empty database of the present schema, in a PostgreSQL of its own, and what it says of a statement it never runs. */
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
  // Temporary folders are closed to others, and under root the server runs as another user.
  chmodSync(dataDir, 0o755);
  const server = await startPostgres({ dataDir, log: () => {}, durable: false });
  try {
    const connection = /** @type {any} */ (server.connection);
    await migrate(connection);
    // The queue makes its own tables, which statements of ours name.
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
    describe: (text) => descriptionOf(client, text),
    /** With a table that an earlier statement of the same transaction makes. */
    describeAfter: (maker, text) =>
      inPassing(client, async () => {
        await client.query(maker);
        return descriptionOf(client, text);
      }),
    /** For the few that PostgreSQL does not look into before it runs them. Nothing is there that they could change. */
    tryOut: (texts) =>
      inPassing(client, async () => {
        try {
          for (const text of texts) await client.query(text);
          return { columns: [] };
        } catch (/** @type {any} */ error) {
          return { error: error.message, position: undefined };
        }
      }),
  };
}

/** @param {() => Promise<Description>} work */
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
