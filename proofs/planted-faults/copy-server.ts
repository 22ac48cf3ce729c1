/** Vitest's global setup inside a copy: the server is there already, the database is migrated by the copy's own files. */
import { randomBytes } from "node:crypto";
import type { Connection } from "@malote/local-postgres/start-postgres";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "../../apps/api/src/platform/db/migrate.ts";

export default async function prepareTemplate(project: TestProject): Promise<() => Promise<void>> {
  const connection = JSON.parse(process.env["MALOTE_FAULTS_SERVER"] ?? "") as Connection;
  const template = `faults_${randomBytes(6).toString("hex")}`;
  const ask = async (question: string) => {
    const client = new pg.Client(connection);
    await client.connect();
    await client.query(question).finally(() => client.end());
  };
  await ask(`CREATE DATABASE ${template}`);
  await migrate({ ...connection, database: template });
  project.provide("testServer", { connection, template });
  return () => ask(`DROP DATABASE ${template} WITH (FORCE)`);
}
