/**
 * Vitest's global setup of a run with a planted fault: the server exists already, and the database is a damaged copy.
 */
import { randomBytes } from "node:crypto";
import type { Connection } from "@malote/local-postgres/start-postgres";
import pg from "pg";
import type { TestProject } from "vitest/node";

/** Data that the proof hands over. */
export interface PlantedServer {
  connection: Connection;
  template: string;
  sql?: string;
}

export default async function spoilTemplate(project: TestProject): Promise<() => Promise<void>> {
  const { connection, template, sql } = JSON.parse(
    process.env["MALOTE_PLANTED_SERVER"] ?? "",
  ) as PlantedServer;
  const spoiled = `planted_${randomBytes(6).toString("hex")}`;
  const ask = async (question: string, database = connection.database) => {
    const client = new pg.Client({ ...connection, database });
    await client.connect();
    await client.query(question).finally(() => client.end());
  };
  await ask(`CREATE DATABASE ${spoiled} TEMPLATE ${template} STRATEGY FILE_COPY`);
  if (sql) await ask(sql, spoiled);
  project.provide("testServer", { connection, template: spoiled });
  return () => ask(`DROP DATABASE ${spoiled} WITH (FORCE)`);
}
