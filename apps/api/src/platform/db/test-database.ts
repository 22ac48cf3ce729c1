import { randomBytes } from "node:crypto";
import type { Connection } from "@malote/local-postgres/start-postgres";
import pg from "pg";
import { inject } from "vitest";

/** Values that test-server.ts provides to every test. */
declare module "vitest" {
  interface ProvidedContext {
    testServer: { connection: Connection; template: string };
  }
}

/** Initial rows of a database, by name: written once per process and copied afterwards. */
export interface FirstRows {
  name: string;
  write(config: pg.ClientConfig): Promise<void>;
}

const written = new Map<string, Promise<string>>();

/** Databases that the current test file created. Templates stay for later files. */
const made: string[] = [];

/** Drops the databases after each file: hundreds of them take gigabytes, which may be memory. */
export async function dropTestDatabases(): Promise<void> {
  if (made.length === 0) return;
  const client = new pg.Client(inject("testServer").connection);
  await client.connect();
  try {
    for (const name of made.splice(0)) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}

/**
 * Creates a migrated database for the calling test, without rows of other tests. It is dropped with the tests of the
 * file.
 */
export async function testDatabase(rows?: FirstRows): Promise<{ config: pg.ClientConfig }> {
  const { connection, template } = inject("testServer");
  const database = await copyDatabase(rows ? await filled(rows) : template);
  made.push(database);
  return { config: { ...connection, database } };

  function filled({ name, write }: FirstRows): Promise<string> {
    const copy =
      written.get(name) ??
      copyDatabase(template).then(async (copy) => {
        await write({ ...connection, database: copy });
        return copy;
      });
    written.set(name, copy);
    return copy;
  }

  async function copyDatabase(source: string): Promise<string> {
    const name = `test_${randomBytes(6).toString("hex")}`;
    const client = new pg.Client(connection);
    await client.connect();
    try {
      // FILE_COPY takes half the time where writes do not wait for the disk.
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY FILE_COPY`);
    } finally {
      await client.end();
    }
    return name;
  }
}
