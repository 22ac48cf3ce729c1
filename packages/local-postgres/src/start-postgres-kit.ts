/** Starts and kills servers and their owners in tests. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { type Connection, type EmbeddedPostgres, startPostgres } from "./start-postgres.ts";

export const running: EmbeddedPostgres[] = [];

export const owners: ChildProcess[] = [];

export async function stop(server: EmbeddedPostgres): Promise<void> {
  running.splice(running.indexOf(server), 1);
  await server.stop();
}

export async function query(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

export const remember = (connection: Connection) =>
  query(connection, "CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)");

export const recall = (connection: Connection) => query(connection, "SELECT id FROM kept");

export async function kill(owner: ChildProcess): Promise<void> {
  owner.kill("SIGKILL");
  await once(owner, "exit");
}

/**
 * Returns whether a process is alive. A dead process that its parent has not reaped still has a number, but no working
 * folder.
 */
export function isAlive(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) !== "";
  } catch {
    return false;
  }
}

export function databaseCalls(dataDir: () => string, sentences: () => string[], madeOnce: () => string) {
  function copyMadeOnce(): void {
    execFileSync("cp", ["-a", join(madeOnce(), "postgres"), dataDir()]);
  }

  async function start(folder = dataDir()): Promise<EmbeddedPostgres> {
    const server = await startPostgres({ dataDir: folder, log: (sentence) => sentences().push(sentence) });
    running.push(server);
    return server;
  }

  const postmasterPid = () =>
    Number(readFileSync(join(dataDir(), "postgres/cluster/postmaster.pid"), "utf8").split("\n")[0]);

  /** Starts another process that owns the data folder and can be killed. */
  async function startOwner(
    as: { uid?: number; gid?: number } = {},
  ): Promise<{ process: ChildProcess; connection: Connection }> {
    const script = fileURLToPath(new URL("./owner-process.ts", import.meta.url));
    const owner = spawn(process.execPath, [script, dataDir()], {
      cwd: "/",
      stdio: ["ignore", "pipe", "inherit"],
      ...as,
    });
    owners.push(owner);
    const [line] = (await once(owner.stdout, "data")) as [Buffer];
    return { process: owner, connection: JSON.parse(line.toString()).connection };
  }

  return { copyMadeOnce, start, postmasterPid, startOwner };
}
