/**
 * Power failure: the server and every process of PostgreSQL die at once, in the middle of the very first start, between
 * and inside migrations, and under work. The next start must succeed by itself, without any loss.
 */
import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createMalote, type Server } from "../../e2e/server.ts";
import { type Chance, chanceOf } from "../chance.ts";
import { proof } from "../proof.ts";
import { books, clusterOf, connectionOf, killGroup, postgresIsUp, withClient } from "./postgres-of.ts";
import { at } from "./times.ts";
import { checkNow, lastWord } from "./verdict.ts";
import { differences, gapCount, missedGaps, partsOf } from "./wholeness.ts";
import { closeGate, startWork } from "./work.ts";

const migrations = readdirSync(fileURLToPath(new URL("../../apps/api/migrations", import.meta.url))).length;
const lookEveryMs = 2;

proof(
  "R2",
  "restarts correctly after the whole process group died, also in its first start and in its migrations",
  { unit: "kills of all", short: 1, reduced: 24, full: 300 },
  async ({ count, seed, report }) => {
    const chance = chanceOf(seed);
    const faults: string[] = [];
    const server = await createMalote({ MALOTE_LOG: "warn" });
    try {
      const since = performance.now();
      await server.start();
      const firstStartMs = performance.now() - since;
      const whole = await withClient(connectionOf(server), partsOf);

      const inFirstStart = Math.ceil(count / 3);
      const inMigrations = Math.ceil((count - inFirstStart) / 2);
      const underWork = count - inFirstStart - inMigrations;
      for (let kill = 1; kill <= inFirstStart + inMigrations; kill++) {
        const dieIn = kill <= inFirstStart ? dieInFirstStart : dieInMigrations;
        faults.push(...(await oneFresh(dieIn, chance, firstStartMs, whole)));
        if (kill % 10 === 0) report(`${kill} kills in first starts, ${faults.length} faults`);
      }

      const { workload, finish } = await startWork(server.url, seed, { cuts: true, unavailable: true });
      const readyMs: number[] = [];
      for (let kill = 1; kill <= underWork; kill++) {
        await sleep(chance.between(50, 1_200));
        const open = closeGate(workload);
        await killGroup(server);
        const startedAt = performance.now();
        await server.start();
        readyMs.push(performance.now() - startedAt);
        open();
        workload.faults.push(...(await checkNow(connectionOf(server), workload)));
        if (kill % 10 === 0) report(`${kill} kills under work, ${workload.faults.length} faults`);
      }
      await finish();
      const last = await lastWord(connectionOf(server), workload, [server.logFile]);
      const gaps = await withClient(connectionOf(server), (client) => missedGaps(client, whole));
      return {
        faults: [...faults, ...last.faults],
        figures: {
          in_first_start: inFirstStart,
          in_migrations: inMigrations,
          under_work: underWork,
          acknowledged: last.acknowledged,
          first_start_ms: Math.round(firstStartMs),
          ready_p50_ms: at(readyMs, 0.5),
          ready_worst_ms: at(readyMs, 1),
        },
        planted: {
          count: last.planted.count + gapCount + 1,
          missed: [...last.planted.missed, ...gaps, ...(await missedTornDatabase(server))],
        },
      };
    } finally {
      await server.stop();
    }
  },
);

type Die = (server: Server, chance: Chance, firstStartMs: number) => Promise<void>;

/** Kills at any moment between an empty folder and a product that answers. */
async function dieInFirstStart(server: Server, chance: Chance, firstStartMs: number): Promise<void> {
  const starting = server.start().catch(() => undefined);
  await sleep(chance.between(0, Math.round(firstStartMs)));
  await killGroup(server);
  await starting;
}

/** Kills half of the times between two migrations, and half at any moment after the start of the database. */
async function dieInMigrations(server: Server, chance: Chance, firstStartMs: number): Promise<void> {
  const at = chance.happens(50) ? "before" : "after";
  const starting = chance.happens(50)
    ? server.start({ MALOTE_FAIL_POINT: `${at}-migration-commit:${chance.between(1, migrations)}` })
    : server.start();
  const started = starting.catch(() => undefined);
  while (!postgresIsUp(server) && server.pid() !== undefined) await sleep(lookEveryMs);
  await Promise.race([server.ended(), sleep(chance.between(0, Math.round(firstStartMs / 2)))]);
  await killGroup(server);
  await started;
}

/**
 * Uses a new data folder, killed once during its first start; the next start must create the same database as an
 * undisturbed one.
 */
async function oneFresh(
  die: Die,
  chance: Chance,
  firstStartMs: number,
  whole: readonly string[],
): Promise<string[]> {
  const server = await createMalote({ MALOTE_LOG: "warn" });
  try {
    await die(server, chance, firstStartMs);
    const failure = await failureOf(server);
    if (failure) return [failure];
    const found = await withClient(connectionOf(server), partsOf);
    return [...differences(whole, found), ...(await books(connectionOf(server)))];
  } finally {
    await server.stop();
  }
}

async function failureOf(server: Server): Promise<string | undefined> {
  try {
    await server.start();
    return undefined;
  } catch (error) {
    return `did not open again: ${(error as Error).message.slice(-600)}`;
  }
}

/** Checks that a database that can no longer be opened is reported as such. */
async function missedTornDatabase(server: Server): Promise<string[]> {
  await killGroup(server);
  truncateSync(join(clusterOf(server), "global/pg_control"), 0);
  return (await failureOf(server)) ? [] : ["a database torn by the kill"];
}
