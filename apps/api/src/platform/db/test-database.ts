import { randomBytes } from "node:crypto";
import type { Connection } from "@malote/local-postgres/start-postgres";
import pg from "pg";
import { inject } from "vitest";

/** What test-server.ts provides to every test. */
declare module "vitest" {
  interface ProvidedContext {
    testServer: { connection: Connection; template: string };
  }
}

/** What a database holds from the start, under a name of its own: made once in a process, and copied after that. */
export interface FirstRows {
  name: string;
  write(config: pg.ClientConfig): Promise<void>;
}

const written = new Map<string, Promise<string>>();

/** Databases that the present test file made. Templates stay for the files that follow. */
const made: string[] = [];

/** After each file: hundreds of databases are gigabytes, in memory where the machine has it. */
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

/** A migrated database of its own for the calling test, empty of other tests' rows. It goes with the tests of the file. */
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
      // By file, which takes half the time where nothing waits for the disk.
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY FILE_COPY`);
    } finally {
      await client.end();
    }
    return name;
  }
}
