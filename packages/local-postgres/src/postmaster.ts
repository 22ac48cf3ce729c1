import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Binaries } from "./binaries.ts";
import { serverEnvironment } from "./cluster.ts";
import { type Home, socketName } from "./home.ts";

const pollMs = 5;
/**
 * Recovery after a kill reads at most the write-ahead log between two checkpoints; the timeout allows for slow disks.
 */
const readyTimeoutMs = 120_000;
const fastStopTimeoutMs = 10_000;
const logBytesMax = 10 * 1024 * 1024;

/** The running main process of PostgreSQL. */
export type Postmaster = { pid: number; child?: ChildProcess };

const pidFileOf = (home: Home) => join(home.cluster, "postmaster.pid");
const logFileOf = (home: Home) => join(home.folder, "server.log");

/** Reads the server's process number and its state, which is on the eighth line. */
function readPidFile(home: Home): { pid: number; ready: boolean } | undefined {
  try {
    const lines = readFileSync(pidFileOf(home), "utf8").split("\n");
    const pid = Number.parseInt(lines[0] ?? "", 10);
    return Number.isNaN(pid) ? undefined : { pid, ready: lines[7]?.trim() === "ready" };
  } catch {
    return undefined;
  }
}

/** Returns the server that a killed Malote left behind, if one still runs on this cluster. */
export function findPostmaster(home: Home): Postmaster | undefined {
  const found = readPidFile(home);
  return found && worksOn(found.pid, home.cluster) ? { pid: found.pid } : undefined;
}

/**
 * True when the process is a PostgreSQL of this very cluster. After a crash the number in the file may belong to any
 * program; PostgreSQL itself would then refuse to start until an operator deletes the file.
 */
function worksOn(pid: number, cluster: string): boolean {
  try {
    if (process.platform === "linux") return readlinkSync(`/proc/${pid}/cwd`) === cluster;
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(cluster);
  } catch {
    return false;
  }
}

/** Starts the server and waits until it accepts connections. No other server may run on the cluster. */
export async function startPostmaster(home: Home, binaries: Binaries): Promise<Postmaster> {
  await clearRemains(home);
  const log = openLog(home);
  const logStart = statSync(logFileOf(home)).size;
  const child = spawn(join(binaries.root, "bin", "postgres"), ["-D", home.cluster], {
    cwd: home.folder,
    env: serverEnvironment,
    // A separate session: Ctrl-C in the terminal reaches only Malote, which then stops the server in order.
    detached: true,
    stdio: ["ignore", log, log],
    ...home.account.spawnAs,
  });
  closeSync(log);
  let failure: Error | undefined;
  child.once("error", (error) => {
    failure = error;
  });
  child.unref();

  const deadline = performance.now() + readyTimeoutMs;
  for (;;) {
    const state = readPidFile(home);
    if (state?.pid === child.pid && state?.ready) return { pid: child.pid as number, child };
    if (failure) throw failure;
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`O PostgreSQL não iniciou: ${lastWords(home, logStart)}`);
    }
    if (performance.now() > deadline) {
      child.kill("SIGQUIT");
      throw new Error(
        `O PostgreSQL não ficou pronto em ${readyTimeoutMs / 1000} s: ${lastWords(home, logStart)}`,
      );
    }
    await sleep(pollMs);
  }
}

/** Waits until an adopted server accepts connections; returns false when it ends instead. */
export async function becomesReady(home: Home, { pid }: Postmaster): Promise<boolean> {
  const deadline = performance.now() + readyTimeoutMs;
  while (performance.now() < deadline) {
    if (!worksOn(pid, home.cluster)) return false;
    if (readPidFile(home)?.ready) return true;
    await sleep(pollMs);
  }
  return false;
}

/**
 * Clears the remains of a killed main process: its children need a moment to notice, and hold the shared memory until
 * then. Their transactions are already lost, so they are ended. The files that name the dead process are removed too:
 * where dead processes are not reaped (a container without init), it looks alive to PostgreSQL, which would refuse to
 * start.
 */
async function clearRemains(home: Home): Promise<void> {
  if (process.platform === "linux") {
    let remains = processesIn(home.cluster);
    while (remains.length > 0) {
      for (const pid of remains) signal(pid, "SIGKILL");
      await sleep(pollMs);
      remains = processesIn(home.cluster);
    }
  }
  for (const file of [
    pidFileOf(home),
    join(home.socket, socketName),
    join(home.socket, `${socketName}.lock`),
  ]) {
    rmSync(file, { force: true });
  }
}

function processesIn(cluster: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && worksOn(pid, cluster));
}

/** Stops the server: it cuts sessions, all committed data is on disk, and the next start needs no recovery. */
export async function stopPostmaster(home: Home, postmaster: Postmaster): Promise<void> {
  signal(postmaster.pid, "SIGINT");
  if (await ends(home, postmaster, fastStopTimeoutMs)) return;
  // This loses no data either; the next start replays the write-ahead log.
  signal(postmaster.pid, "SIGQUIT");
  if (await ends(home, postmaster, fastStopTimeoutMs)) return;
  signal(postmaster.pid, "SIGKILL");
  await clearRemains(home);
}

async function ends(home: Home, postmaster: Postmaster, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (!isRunning(home, postmaster)) return true;
    await sleep(pollMs);
  }
  return false;
}

export function isRunning(home: Home, { pid, child }: Postmaster): boolean {
  if (child) return child.exitCode === null && child.signalCode === null;
  return worksOn(pid, home.cluster);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function openLog(home: Home): number {
  const file = logFileOf(home);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) renameSync(file, `${file}.old`);
  const log = openSync(file, "a", 0o600);
  home.account.own(file);
  return log;
}

/** Returns the log lines of this start, best line first: the fatal one names the cause. */
function lastWords(home: Home, from: number): string {
  const text = readFileSync(logFileOf(home)).subarray(from).toString("utf8").trim();
  const fatal = text.split("\n").find((line) => /FATAL|PANIC/.test(line));
  return fatal ?? (text.split("\n").at(-1) || `veja ${logFileOf(home)}`);
}
