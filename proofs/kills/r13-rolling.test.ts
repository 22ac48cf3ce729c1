/**
 * Processes are stopped and started under load, one alone and each of a fleet in turn, without any effect for callers.
 */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "@malote/local-postgres/start-postgres";
import type pg from "pg";
import { createMalote, type Server } from "../../e2e/server.ts";
import { type Chance, chanceOf } from "../chance.ts";
import { proof, type Run } from "../proof.ts";
import { type Balancer, startBalancer, waitMsMax } from "./balancer.ts";
import { connectionOf } from "./postgres-of.ts";
import { at } from "./times.ts";
import { checkNow, type LastWord, lastWord } from "./verdict.ts";
import { startWork } from "./work.ts";
import { openMsMax, type Workload } from "./workload.ts";

const plantTries = 5;
/** The balancer checks twenty times a second, on a machine that may be busy with other work. */
const drain = { MALOTE_DRAIN_SECONDS: "2" };

proof(
  "R13",
  "stops and starts its one process under load without a failed request",
  { unit: "stops", short: 1, reduced: 15, full: 100 },
  async (run) => {
    const server = await createMalote({ MALOTE_LOG: "warn", ...drain });
    try {
      await server.start();
      const stopped = (chance: Chance) => stopAndStart(server, chance);
      return await stopUnderLoad(run, [server], () => connectionOf(server), stopped, []);
    } finally {
      await server.stop();
    }
  },
);

proof(
  "R13",
  "rolls over two web processes and a worker under load without a failed request",
  { unit: "stops", short: 1, reduced: 15, full: 102 },
  async (run) => {
    const dataDir = mkdtempSync(join(tmpdir(), "malote-fleet-"));
    chmodSync(dataDir, 0o755);
    const postgres = await startPostgres({ dataDir, log: () => undefined });
    const { host, user, database } = postgres.connection;
    const fleet: Server[] = [];
    try {
      for (const role of ["web", "web", "worker"]) {
        const one = await createMalote({
          MALOTE_ROLE: role,
          MALOTE_DATA: dataDir,
          MALOTE_SECRET: "the same secret for every process of the fleet",
          MALOTE_LOG: "warn",
          ...drain,
          DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`,
        });
        fleet.push(one);
        await one.start();
      }
      const [first, second] = fleet as [Server, Server];
      let next = 0;
      const roll = (chance: Chance) => stopAndStart(fleet[next++ % fleet.length] ?? first, chance);
      const crash = async () => {
        await first.kill();
        await first.start();
      };
      const plants = [{ name: "a web process that dies instead of stopping", work: crash }];
      return await stopUnderLoad(run, [first, second], () => postgres.connection, roll, plants, fleet);
    } finally {
      for (const one of fleet) await one.stop();
      await postgres.stop();
      rmSync(realpathSync(join(dataDir, "postgres")), { recursive: true, force: true });
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);

interface Plant {
  name: string;
  work(): Promise<void>;
}

async function stopAndStart(server: Server, chance: Chance): Promise<{ code: number | null; ms: number }> {
  await sleep(chance.between(200, 800));
  const since = performance.now();
  const code = await server.shutDown();
  const ms = performance.now() - since;
  await server.start();
  return { code, ms };
}

async function stopUnderLoad(
  { count, seed, report }: Run,
  webs: readonly Server[],
  connection: () => pg.ClientConfig,
  stopOne: (chance: Chance) => Promise<{ code: number | null; ms: number }>,
  plants: readonly Plant[],
  all: readonly Server[] = webs,
) {
  const chance = chanceOf(seed);
  const balancer = await startBalancer(webs.map(({ url }) => url));
  try {
    const { workload, finish } = await startWork(balancer.url, seed, {
      cuts: false,
      unavailable: false,
      openMsMax: openMsMax + (webs.length === 1 ? waitMsMax : 0),
    });
    const stopMs: number[] = [];
    for (let stop = 1; stop <= count; stop++) {
      const { code, ms } = await stopOne(chance);
      stopMs.push(ms);
      if (code !== 0) workload.faults.push(`a stop ended with ${code} after ${Math.round(ms)} ms`);
      workload.faults.push(...(await checkNow(connection(), workload)));
      if (stop % 10 === 0) report(`${stop} stops, ${workload.faults.length} faults`);
    }
    const answered = Object.values(workload.answers).reduce((sum, times) => sum + times, 0);
    workload.faults.push(...balancer.failed.map((failure) => `failed: ${failure}`));
    const missed = await missedStops(plants, workload, balancer);
    await finish();
    const last: LastWord = await lastWord(
      connection(),
      workload,
      all.map(({ logFile }) => logFile),
    );
    return {
      faults: last.faults,
      figures: {
        requests: answered,
        acknowledged: last.acknowledged,
        refused_and_sent_elsewhere: balancer.refused(),
        stop_p50_ms: at(stopMs, 0.5),
        stop_worst_ms: at(stopMs, 1),
        slowest_request_ms: workload.slowestMs,
      },
      planted: {
        count: last.planted.count + plants.length,
        missed: [...last.planted.missed, ...missed],
      },
    };
  } finally {
    await balancer.stop();
  }
}

/**
 * Returns the bad stops that went unnoticed. One between two requests does no harm, so each gets a few attempts. The
 * damage that it does is not a fault of the product.
 */
async function missedStops(
  plants: readonly Plant[],
  workload: Workload,
  balancer: Balancer,
): Promise<string[]> {
  const missed: string[] = [];
  for (const { name, work } of plants) {
    const before = { faults: workload.faults.length, failed: balancer.failed.length };
    for (let tries = 0; tries < plantTries && workload.faults.length === before.faults; tries++) {
      await sleep(200);
      await work();
    }
    if (workload.faults.length === before.faults) missed.push(name);
    workload.faults.length = before.faults;
    balancer.failed.length = before.failed;
  }
  return missed;
}
