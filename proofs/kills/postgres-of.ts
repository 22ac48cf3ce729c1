/** The embedded PostgreSQL of a running server, accessed directly: to query it, and to kill it. */
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { checkBooks } from "../../apps/api/src/ledger/check-books.ts";
import { openDatabase } from "../../apps/api/src/platform/db/database.ts";
import type { Server } from "../../e2e/server.ts";

const homeOf = ({ dataDir }: Server) => join(dataDir, "postgres");
export const clusterOf = (server: Server) => join(realpathSync(homeOf(server)), "cluster");

/** Reads the path of PostgreSQL's socket from its own file. */
export function connectionOf(server: Server): pg.ClientConfig {
  const lines = postmasterFile(server);
  return { host: lines[4]?.trim() ?? "", port: Number(lines[3]), user: "postgres", database: "malote" };
}

/**
 * Runs queries over all data. The tables grow faster than their statistics, and with these a join of two tables would
 * go row by row for minutes, while the work makes them longer still.
 */
export async function withClient<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection, options: "-c enable_nestloop=off" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Kills every process of the server's PostgreSQL at once, including those of a database that is being created. Returns
 * their number.
 */
export function killPostgres(server: Server): number {
  if (!existsSync(homeOf(server))) return 0;
  const home = realpathSync(homeOf(server));
  const alive = readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && worksBelow(pid, home));
  for (const pid of alive) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process ended by itself meanwhile.
    }
  }
  return alive.length;
}

/** Simulates a power failure: kills the server and every process of PostgreSQL. */
export async function killGroup(server: Server): Promise<void> {
  const dead = server.kill();
  while (killPostgres(server) > 0) await sleep(1);
  await dead;
}

/** Kills the main process alone; its children notice, and end by themselves. */
export function killPostmaster(server: Server): void {
  const [pid] = postmasterFile(server);
  process.kill(Number(pid), "SIGKILL");
}

/** True once a starting server has its database up, but not its content yet. */
export function postgresIsUp(server: Server): boolean {
  try {
    return postmasterFile(server)[7]?.trim() === "ready";
  } catch {
    return false;
  }
}

const postmasterFile = (server: Server) =>
  readFileSync(join(clusterOf(server), "postmaster.pid"), "utf8").split("\n");

function worksBelow(pid: number, home: string): boolean {
  try {
    const folder = readlinkSync(`/proc/${pid}/cwd`);
    return folder === home || folder.startsWith(`${home}/`);
  } catch {
    return false;
  }
}

export async function books(connection: pg.ClientConfig): Promise<string[]> {
  const db = openDatabase({ ...connection, max: 1 });
  try {
    return (await checkBooks(db)).map(({ rule, where }) => `books: ${rule} (${where})`);
  } finally {
    await db.close();
  }
}
