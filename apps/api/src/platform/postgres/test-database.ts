import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import type { Connection } from "./start-postgres.ts";

/** What test-server.ts provides to every test. */
declare module "vitest" {
  interface ProvidedContext {
    testServer: { connection: Connection; template: string };
  }
}

/** A migrated database of its own for the calling test, empty of other tests' rows. It goes with the server. */
export async function testDatabase(): Promise<{ config: pg.ClientConfig }> {
  const { connection, template } = inject("testServer");
  const database = `test_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${database} TEMPLATE ${template}`);
  } finally {
    await client.end();
  }
  return { config: { ...connection, database } };
}
