import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@malote/local-postgres/start-postgres";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "./migrate.ts";

/** Vitest's global setup: one PostgreSQL for the run, with a migrated database to copy for each test. */
export default async function startTestServer(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "malote-test-"));
  // Temporary folders are private, and under root the server runs as another user.
  chmodSync(dataDir, 0o755);
  const server = await startPostgres({ dataDir, log: () => {}, durable: false });
  const stop = async () => {
    await server.stop();
    rmSync(realpathSync(join(dataDir, "postgres")), { recursive: true });
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const template = `template_${randomBytes(4).toString("hex")}`;
    const client = new pg.Client(server.connection);
    await client.connect();
    // Autovacuum would visit the hundreds of databases that tests leave behind.
    await client.query("ALTER SYSTEM SET autovacuum = off");
    await client.query("SELECT pg_reload_conf()");
    await client.query(`CREATE DATABASE ${template}`);
    await client.end();
    await migrate({ ...server.connection, database: template });
    project.provide("testServer", { connection: server.connection, template });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
