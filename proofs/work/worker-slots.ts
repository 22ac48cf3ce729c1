/**
 * Worker processes of the real product on one database. Each slot signs in to PostgreSQL under its own name, so that
 * its work can be distinguished from the others', even after its death.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { serverArguments } from "../../scripts/steps/server.mjs";

export interface Slot {
  name: string;
  /** Starts the process; with a fail-point, it kills itself at some time. */
  start(failPoint?: string): void;
  kill(): Promise<void>;
  /** Resolves when the process has ended, for any reason. */
  ended(): Promise<void>;
  /** Pauses the process in the middle of its work; it resumes without noticing. */
  pause(): void;
  resume(): void;
  /** Stops it in order, as a process manager does. */
  shutDown(): Promise<void>;
}

export interface Death {
  worker: string;
  at: Date;
}

export interface Slots {
  all: readonly Slot[];
  /** Workers that were killed or killed themselves, with the time. */
  deaths: readonly Death[];
  /** Returns the output of the workers. */
  log(): string;
  close(): Promise<void>;
}

export async function openSlots(connection: pg.ClientConfig, count: number): Promise<Slots> {
  const folder = mkdtempSync(join(tmpdir(), "malote-workers-"));
  const logFile = join(folder, "output.log");
  const names = Array.from({ length: count }, (_, index) => `${connection.database}_worker_${index}`);
  await asSuperuser(
    connection,
    names.map((name) => `CREATE ROLE ${name} LOGIN SUPERUSER`),
  );
  const deaths: Death[] = [];
  const all = names.map((name) => slotOf(name, connection, folder, logFile, deaths));
  return {
    all,
    deaths,
    log: () => readFileSync(logFile, "utf8"),
    async close() {
      await Promise.all(all.map((slot) => slot.kill()));
      rmSync(folder, { recursive: true, force: true });
      await asSuperuser(
        connection,
        names.flatMap((name) => [`DROP OWNED BY ${name}`, `DROP ROLE ${name}`]),
      );
    },
  };
}

function slotOf(
  name: string,
  connection: pg.ClientConfig,
  folder: string,
  logFile: string,
  deaths: Death[],
): Slot {
  let running: ChildProcess | undefined;
  const hasEnded = (one: ChildProcess) => one.exitCode !== null || one.signalCode !== null;
  async function ended() {
    if (running && !hasEnded(running)) await once(running, "exit");
  }
  async function end(signal: NodeJS.Signals) {
    running?.kill("SIGCONT");
    running?.kill(signal);
    await ended();
  }
  return {
    name,
    start(failPoint) {
      const log = openSync(logFile, "a");
      running = spawn(process.execPath, serverArguments, {
        cwd: folder,
        env: {
          ...process.env,
          NODE_ENV: "",
          DATABASE_URL: urlOf({ ...connection, user: name }),
          MALOTE_ROLE: "worker",
          MALOTE_DATA: folder,
          MALOTE_SECRET: "the same secret for every worker of a proof",
          MALOTE_LOG: "error",
          ...(failPoint && { MALOTE_FAIL_POINT: failPoint }),
        },
        stdio: ["ignore", log, log],
      });
      closeSync(log);
      running.once("exit", (_code, signal) => {
        if (signal === "SIGKILL") deaths.push({ worker: name, at: new Date() });
      });
    },
    ended,
    kill: () => end("SIGKILL"),
    pause: () => void running?.kill("SIGSTOP"),
    resume: () => void running?.kill("SIGCONT"),
    shutDown: () => end("SIGTERM"),
  };
}

/** Builds a URL; the path of the socket's folder fits only into its query. */
function urlOf({ host, port, user, database }: pg.ClientConfig): string {
  const query = new URLSearchParams({ host: String(host), port: String(port) });
  return `postgres://${user}@localhost/${database}?${query}`;
}

async function asSuperuser(connection: pg.ClientConfig, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
