/** Applies the numbered SQL files that a database has not seen yet, each in its own transaction, one process at a time. */
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { passing } from "../fail-points.ts";

const folder = new URL("../../../migrations/", import.meta.url);
/** Any number, the same for every Malote: holders of this lock migrate one after another. */
const migrationLock = 7_265_001;

/** With `only`, no more than those: what a backup was made with comes back first, and what is newer after its rows. */
export async function migrate(connection: pg.ClientConfig, only?: readonly string[]): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    await client.query(
      "CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
    );
    const { rows } = await client.query<{ name: string }>("SELECT name FROM migrations");
    const applied = new Set(rows.map((row) => row.name));
    const files = await knownMigrations();
    for (const name of files) {
      if (applied.has(name) || (only && !only.includes(name))) continue;
      const sql = await readFile(new URL(name, folder), "utf8");
      try {
        await client.query("BEGIN");
        await client.query(sql);
        await client.query("INSERT INTO migrations (name) VALUES ($1)", [name]);
        passing("before-migration-commit");
        await client.query("COMMIT");
        passing("after-migration-commit");
      } catch (error) {
        await client.query("ROLLBACK");
        throw new Error(`migration ${name}: ${(error as Error).message}`, { cause: error });
      }
    }
  } finally {
    await client.end();
  }
}

/** The names of all there are, oldest first. */
export async function knownMigrations(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
}
