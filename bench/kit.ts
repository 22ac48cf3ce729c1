/** Common parts of the benches: a product on an embedded PostgreSQL, and a fair comparison. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@malote/local-postgres/start-postgres";
import { movableClock } from "../apps/api/src/adapters/sandbox/clock.ts";
import { seedDemo } from "../apps/api/src/adapters/sandbox/demo/seed.ts";
import { openSecrets } from "../apps/api/src/platform/auth/secrets.ts";
import { readConfig } from "../apps/api/src/platform/config.ts";
import { type Database, openDatabase } from "../apps/api/src/platform/db/database.ts";
import { migrate } from "../apps/api/src/platform/db/migrate.ts";
import { localFiles } from "../apps/api/src/platform/files/files.ts";
import { createLog } from "../apps/api/src/platform/log.ts";
import type { Services } from "../apps/api/src/platform/services.ts";
import { noRails } from "../apps/api/src/testing/no-rails.ts";
import { cpuSeconds } from "./cpu.ts";
import { missedBounds } from "./goals.mjs";

export interface Bench {
  services: Services;
  dataDir: string;
  close(): Promise<void>;
}

/** A folder that the database can use even under root, where it runs as another user. */
export function temporaryFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "malote-bench-"));
  chmodSync(folder, 0o755);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Secret that signs the tokens of all processes of a bench. */
export const benchSecret = "a secret of benches that is long enough for everybody";

/** Services on a database; jobs are dropped, and the network is never called. */
export function benchServices(db: Database, dataDir: string, secret: string): Services {
  const unavailable = () => Promise.reject(new Error("no bench talks to the network"));
  return {
    config: readConfig({ MALOTE_LOG: "silent", ...(dataDir && { MALOTE_DATA: dataDir }) }),
    log: createLog("silent"),
    db,
    clock: movableClock(),
    secrets: openSecrets(secret),
    jobs: { enqueue: async () => undefined, work: async () => undefined, stop: async () => undefined },
    files: localFiles(join(dataDir, "files")),
    mailer: { send: async () => undefined },
    sms: { send: unavailable },
    accountCheck: { findKey: unavailable, findHolder: unavailable },
    boletoRegister: { find: unavailable },
    pixCodes: { read: unavailable },
    rails: noRails,
    connections: new Map(),
    directory: { id: noRails.id, ask: unavailable, reports: unavailable, acknowledge: unavailable },
    charges: { id: noRails.id, charge: unavailable, cancel: unavailable, refund: unavailable },
    handleEvents: unavailable,
    infractions: { id: noRails.id, answer: unavailable },
  };
}

/** The product's parts on a fresh database with the demo companies. */
export async function openBench(): Promise<Bench> {
  const { folder: dataDir, remove } = temporaryFolder();
  const postgres = await startPostgres({ dataDir, log: () => undefined });
  await migrate(postgres.connection);
  const db = openDatabase(postgres.connection);
  const services = benchServices(db, dataDir, benchSecret);
  await seedDemo(db, services.clock as ReturnType<typeof movableClock>);
  return {
    services,
    dataDir,
    async close() {
      await db.close();
      await postgres.stop();
      remove();
    },
  };
}

export const quantile = (numbers: readonly number[], part: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * part)] ?? Number.NaN;
export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

export interface Side {
  /** Serving process; the database's processes are counted too. */
  pid: number;
  /** Prepares a turn; not measured. */
  prepare?(): Promise<void>;
  /** Tasks per second. */
  rate(): Promise<number>;
}

/**
 * Measures how many tasks per second two servers on one database do in alternating turns, and the processor time per
 * task. The first turn of each is not measured: it compiles code, opens connections and makes plans.
 */
export async function compareRates(
  { rounds, tasks, databasePid }: { rounds: number; tasks: number; databasePid: number },
  ours: Side,
  floor: Side,
) {
  const measure = async ({ pid, prepare, rate }: Side) => {
    await prepare?.();
    const before = cpuSeconds(pid) + cpuSeconds(databasePid);
    const perSecond = await rate();
    return { perSecond, cpuMs: ((cpuSeconds(pid) + cpuSeconds(databasePid) - before) / tasks) * 1000 };
  };
  const measured: {
    ours: Awaited<ReturnType<typeof measure>>[];
    floor: Awaited<ReturnType<typeof measure>>[];
  } = { ours: [], floor: [] };
  for (let round = 0; round <= rounds; round++) {
    measured.ours.push(await measure(ours));
    measured.floor.push(await measure(floor));
  }
  const middle = (side: "ours" | "floor", figure: "perSecond" | "cpuMs") =>
    median(measured[side].slice(1).map((one) => one[figure]));
  return {
    ours: middle("ours", "perSecond"),
    floor: middle("floor", "perSecond"),
    ours_cpu_ms: middle("ours", "cpuMs"),
    floor_cpu_ms: middle("floor", "cpuMs"),
    /** Ratio by processor time instead of the clock. */
    ratio_cpu: middle("floor", "cpuMs") / middle("ours", "cpuMs"),
    ours_each: measured.ours.slice(1).map((one) => Math.round(one.perSecond)),
    floor_each: measured.floor.slice(1).map((one) => Math.round(one.perSecond)),
  };
}

/** Turns alternate, so that other work of the machine affects both alike. */
export async function compare(
  rounds: number,
  ours: () => Promise<number>,
  floor: () => Promise<number>,
): Promise<{ ours: number; floor: number; ratio: number }> {
  const figures: { ours: number[]; floor: number[] } = { ours: [], floor: [] };
  for (let round = 0; round < rounds; round++) {
    figures.ours.push(await ours());
    figures.floor.push(await floor());
  }
  const result = { ours: median(figures.ours), floor: median(figures.floor) };
  return { ...result, ratio: result.ours / result.floor };
}

export interface Figures {
  /** Unit of `ours` and `floor`. */
  unit: string;
  ours: number;
  /** The unavoidable cost, or the peer that the goal names; null where the goal is an absolute bound. */
  floor: number | null;
  /** Number of measured rows, requests or entries. */
  n: number;
  rounds: number;
  seed?: number;
  ratio?: number;
  [figure: string]: unknown;
}

/**
 * The one JSON line of a bench, with the same fields for all: comparable over commits, and judged by the goal's bounds.
 */
export function print(goal: string, figures: Figures): void {
  const {
    unit,
    ours,
    floor,
    n,
    rounds,
    seed = 0,
    ratio = floor === null ? null : ours / floor,
    ...others
  } = figures;
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  }).trim();
  const measured = rounded({ unit, ours, floor, ratio, ...others }) as Record<string, unknown>;
  const missed = missedBounds(goal, measured);
  const line = { goal, commit, seed, n, rounds, ...measured, met: missed.length === 0, missed };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function rounded(value: unknown): unknown {
  if (typeof value === "number") return Math.round(value * 1000) / 1000;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, rounded(held)]));
}
