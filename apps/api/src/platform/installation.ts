/** Database and data folder of a command, as the environment names them for `npm start`. */
import { mkdirSync } from "node:fs";
import { hasDatabase, startOrAttachPostgres } from "@malote/local-postgres/start-or-attach";
import type pg from "pg";
import { readConfig, WrongConfiguration } from "./config.ts";

export interface Installation {
  connection: pg.ClientConfig;
  dataDir: string;
  release(): Promise<void>;
}

class NoInstallation extends Error {}

export async function openInstallation({ mustExist }: { mustExist: boolean }): Promise<Installation> {
  const { dataDir, directDatabaseUrl } = readConfig(process.env);
  if (directDatabaseUrl) {
    mkdirSync(dataDir, { recursive: true });
    return { connection: { connectionString: directDatabaseUrl }, dataDir, release: async () => undefined };
  }
  if (mustExist && !hasDatabase(dataDir)) {
    throw new NoInstallation(`Não há dados do Malote em ${dataDir}: diga a pasta em MALOTE_DATA.`);
  }
  mkdirSync(dataDir, { recursive: true });
  const { connection, release } = await startOrAttachPostgres({
    dataDir,
    log: (sentence) => void process.stdout.write(`${sentence}\n`),
  });
  return { connection, dataDir, release };
}

/** Runs a command that returns a problem, or undefined when there is none; prints problems and sets the exit code. */
export async function reportProblems(command: () => Promise<string | undefined>): Promise<void> {
  try {
    const problem = await command();
    if (problem === undefined) return;
    process.stderr.write(`${problem}\n`);
  } catch (error) {
    if (error instanceof WrongConfiguration) process.stderr.write(`${error.problems.join("\n")}\n`);
    else if (error instanceof NoInstallation) process.stderr.write(`${error.message}\n`);
    else process.stderr.write(`${(error as Error).stack}\n`);
  }
  process.exitCode = 1;
}
