/**
 * Applies the numbered SQL files that a database does not have yet, each in its own transaction, one process at a time.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { reachFailPoint } from "../fail-points.ts";
import { declareSystemLock } from "./locks.ts";

const migratingLock = declareSystemLock(7_265_001);

const folder = new URL("../../../migrations/", import.meta.url);

/**
 * Applies migrations. With `only`, applies just those: a restore first applies the backup's migrations, and newer ones
 * after its rows. Throws when a file was changed after it was applied, because the database then has another schema
 * than the files describe.
 */
export async function migrate(connection: pg.ClientConfig, only?: readonly string[]): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [migratingLock]);
    await client.query(
      "CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
    );
    // Null for migrations that were applied before checksums existed.
    await client.query("ALTER TABLE migrations ADD COLUMN IF NOT EXISTS checksum text");
    const { rows } = await client.query<{ name: string; checksum: string | null }>(
      "SELECT name, checksum FROM migrations",
    );
    const applied = new Map(rows.map((row) => [row.name, row.checksum]));
    const files = await listKnownMigrations();
    for (const name of files) {
      const sql = await readFile(new URL(name, folder), "utf8");
      const checksum = checksumOf(sql);
      const before = applied.get(name);
      if (before === null)
        await client.query("UPDATE migrations SET checksum = $2 WHERE name = $1", [name, checksum]);
      else if (before !== undefined && before !== checksum)
        throw new Error(
          `migration ${name} was changed after it was applied here; put the change in a new one`,
        );
      if (before !== undefined || (only && !only.includes(name))) continue;
      try {
        await client.query("BEGIN");
        await client.query(sql);
        await client.query("INSERT INTO migrations (name, checksum) VALUES ($1, $2)", [name, checksum]);
        reachFailPoint("before-migration-commit");
        await client.query("COMMIT");
        reachFailPoint("after-migration-commit");
      } catch (error) {
        await client.query("ROLLBACK");
        throw new Error(`migration ${name}: ${(error as Error).message}`, { cause: error });
      }
    }
  } finally {
    await client.end();
  }
}

const commentLines = /^\s*--.*$/gm;
const blanks = /\s+/g;

/** Computes the checksum of the statements only: comments and line breaks may change. */
export function checksumOf(sql: string): string {
  const statements = sql.replace(commentLines, "").replace(blanks, " ").trim();
  return createHash("sha256").update(statements).digest("hex");
}

/** Returns the names of all migrations, oldest first. */
export async function listKnownMigrations(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
}
