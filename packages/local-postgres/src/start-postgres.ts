import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { binariesFor } from "./binaries.ts";
import { ensureCluster, superuser, writeSettings } from "./cluster.ts";
import { type Home, openHome, socketPort } from "./home.ts";
import { AlreadyOwnedError, claim } from "./owner.ts";
import {
  becomesReady,
  findPostmaster,
  isRunning,
  type Postmaster,
  startPostmaster,
  stopPostmaster,
} from "./postmaster.ts";

export type Connection = { host: string; port: number; user: string; database: string };

export type EmbeddedPostgres = {
  connection: Connection;
  /** True when a server left behind by a killed Malote was adopted instead of started. */
  adopted: boolean;
  stop(): Promise<void>;
};

export type StartOptions = {
  /** An existing folder; the database goes into `postgres` below it. */
  dataDir: string;
  /** Receives whole sentences for the person who started Malote. */
  log: (sentence: string) => void;
  /** False only in tests: a crash of the machine may then lose data. */
  durable?: boolean;
};

export const database = "malote";
const watchMs = 100;
const restartDelayMsMax = 5_000;

/**
 * Starts the PostgreSQL that came with npm, or adopts the one that a killed Malote left behind, and keeps it running
 * until `stop`. The server outlives a kill of this process on purpose, so that it finishes its commits.
 */
export async function startPostgres({
  dataDir,
  log,
  durable = true,
}: StartOptions): Promise<EmbeddedPostgres> {
  const home = openHome(dataDir, log);
  const release = claimHome(home);
  try {
    const { binaries, copied } = binariesFor(home.account, home.folder);
    if (copied)
      log(
        `O PostgreSQL foi copiado para ${binaries.root}, onde o usuário ${home.account.name} pode executá-lo.`,
      );
    ensureCluster(home, binaries, durable);
    const { changed } = writeSettings(home, binaries, durable);
    const connection = { host: home.socket, port: socketPort, user: superuser, database };

    const left = findPostmaster(home);
    const adopted = left !== undefined && !changed && (await adopt(home, left, connection));
    if (left && !adopted) await stopPostmaster(home, left);
    const postmaster = adopted ? left : await startPostmaster(home, binaries);
    if (!adopted) await ensureDatabase(connection);

    const stopKeeping = keepRunning(home, postmaster, () => startPostmaster(home, binaries), log);
    return {
      connection,
      adopted,
      async stop() {
        const current = await stopKeeping();
        if (current) await stopPostmaster(home, current);
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

function claimHome(home: Home): () => void {
  try {
    return claim(join(home.folder, "owner"));
  } catch (error) {
    if (!(error instanceof AlreadyOwnedError)) throw error;
    throw new Error(`O Malote já está rodando com estes dados (processo ${error.pid}): encerre-o antes.`, {
      cause: error,
    });
  }
}

/**
 * Adopts a server that answers. It first ends the sessions of the killed owner, so that no work of that owner is in
 * flight or holds locks when ours begins.
 */
async function adopt(home: Home, left: Postmaster, connection: Connection): Promise<boolean> {
  if (!(await becomesReady(home, left))) return false;
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function ensureDatabase(connection: Connection): Promise<void> {
  const client = new pg.Client({ ...connection, database: "postgres" });
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${database}`);
  } finally {
    await client.end();
  }
}

/**
 * Restarts the server whenever it ends without a request. The returned function ends the watch and returns the server
 * to stop, if one runs.
 */
function keepRunning(
  home: Home,
  first: Postmaster,
  start: () => Promise<Postmaster>,
  log: (sentence: string) => void,
): () => Promise<Postmaster | undefined> {
  let postmaster: Postmaster | undefined = first;
  const stopping = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { ref: false, signal: stopping.signal }).catch(() => {});

  const watch = async () => {
    let delayMs = 0;
    while (!stopping.signal.aborted) {
      if (postmaster && isRunning(home, postmaster)) {
        delayMs = 0;
        await pause(watchMs);
        continue;
      }
      if (postmaster) log("O PostgreSQL parou sem ser pedido; iniciando de novo.");
      postmaster = undefined;
      await pause(delayMs);
      if (stopping.signal.aborted) break;
      try {
        postmaster = await start();
        log("O PostgreSQL voltou.");
      } catch (error) {
        log(`O PostgreSQL ainda não voltou: ${(error as Error).message}`);
        delayMs = Math.min(delayMs * 2 + 100, restartDelayMsMax);
      }
    }
  };
  const watching = watch();

  return async () => {
    stopping.abort();
    await watching;
    return postmaster;
  };
}
