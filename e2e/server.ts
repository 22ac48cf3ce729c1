import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serverArguments } from "../scripts/steps/server.mjs";

const startTimeoutMs = 60_000;

/** Runs the real product with data of its own, as `npm start` does. */
export type Server = {
  url: string;
  dataDir: string;
  logFile: string;
  /** Resolves when it is ready; a variable given here applies to this start alone. */
  start(environment?: Record<string, string>): Promise<void>;
  /** Number of the running process. */
  pid(): number | undefined;
  /** Resolves when the running process has ended, for any reason. */
  ended(): Promise<void>;
  /** True when the process ended by itself. */
  gaveUp(): boolean;
  /** Kills the process at once, like a power failure. */
  kill(): Promise<void>;
  /** Stops in order, as a process manager does; returns the exit code. The data stays. */
  shutDown(): Promise<number | null>;
  /** Stops in order, as Ctrl-C does, and deletes the data. */
  stop(): Promise<void>;
  /** Resets the demo companies to those of a new installation. */
  startOver(): Promise<void>;
};

export async function createMalote(environment: Record<string, string> = {}): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), "malote-e2e-"));
  // Temporary folders are closed to other users, and under root the database runs as another user.
  chmodSync(dataDir, 0o755);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(dataDir, "output.log");
  let running: ChildProcess | undefined;

  async function start(more: Record<string, string> = {}): Promise<void> {
    const log = openSync(logFile, "a");
    const server = spawn(process.execPath, serverArguments, {
      cwd: dataDir,
      env: {
        ...process.env,
        PORT: String(port),
        MALOTE_DATA: dataDir,
        NODE_ENV: "",
        ...environment,
        ...more,
      },
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    running = server;
    // A worker listens on no port.
    if (environment["MALOTE_ROLE"] === "worker") return;
    const deadline = performance.now() + startTimeoutMs;
    while (!(await isReady(url))) {
      if (hasEnded(server) || performance.now() > deadline) {
        throw new Error(`Malote did not get ready:\n${readFileSync(logFile, "utf8")}`);
      }
      await sleep(25);
    }
  }

  async function ended(): Promise<void> {
    if (running && !hasEnded(running)) await once(running, "exit");
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const server = running;
    running = undefined;
    if (!server) return null;
    if (!hasEnded(server)) {
      const exited = once(server, "exit");
      server.kill(signal);
      await exited;
    }
    return server.exitCode;
  }

  return {
    url,
    dataDir,
    logFile,
    start,
    pid: () => (running && !hasEnded(running) ? running.pid : undefined),
    ended,
    gaveUp: () => running !== undefined && running.exitCode !== null,
    kill: async () => void (await end("SIGKILL")),
    shutDown: () => end("SIGTERM"),
    async stop() {
      await end("SIGINT");
      const database = join(dataDir, "postgres");
      if (existsSync(database)) rmSync(realpathSync(database), { recursive: true, force: true });
      rmSync(dataDir, { recursive: true, force: true });
    },
    async startOver() {
      const answer = await fetch(`${url}/api/simulator/start-over`, { method: "POST" });
      if (!answer.ok) throw new Error(`start over: ${answer.status} ${await answer.text()}`);
    },
  };
}

const hasEnded = (server: ChildProcess) => server.exitCode !== null || server.signalCode !== null;

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
