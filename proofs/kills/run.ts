/**
 * The server is killed repeatedly while its clients work: half of the times at random, half at a chosen place. After
 * each start the proof looks for everything acknowledged and checks the books.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createMalote, type Server } from "../../e2e/server.ts";
import { type Chance, chanceOf } from "../chance.ts";
import type { Outcome, Run } from "../proof.ts";
import { pauseAt } from "./moments.ts";
import { createAim, type Target } from "./places.ts";
import { connectionOf } from "./postgres-of.ts";
import { at } from "./times.ts";
import { checkNow, type LastWord, lastWord } from "./verdict.ts";
import { closeGate, startWork } from "./work.ts";

/** A place that is not reached in this time counts as a random kill. */
const placeTimeoutMs = 2_500;
const readyP99MsMax = 2_000;
/**
 * The number of kills of one database. Every check reads its whole history, so a new database begins before that takes
 * long.
 */
const killsOfOneMax = 200;

export async function killAgainAndAgain({ count, size, seed, report }: Run): Promise<Outcome> {
  const chance = chanceOf(seed);
  const sofar: Sofar = { kills: 0, atRandom: 0, readyMs: [], aim: createAim(chance), chance, report };
  const words: LastWord[] = [];
  while (sofar.kills < count) {
    const kills = Math.min(killsOfOneMax, count - sofar.kills);
    words.push(await killOne(sofar, kills, seed + words.length));
  }
  const faults = words.flatMap((word) => word.faults);
  const missed = words.flatMap((word) => word.planted.missed);
  const p99 = at(sofar.readyMs, 0.99);
  const reached = sofar.aim.reached();
  // A few kills on a shared machine prove nothing about the slowest start.
  if (size === "full" && p99 > readyP99MsMax) faults.push(`ready again after ${p99} ms at p99`);
  if (size === "full") {
    for (const [place, times] of reached) if (times === 0) faults.push(`never died at: ${place}`);
  }
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  return {
    faults,
    figures: {
      at_random: sofar.atRandom,
      at_places: count - sofar.atRandom,
      places: [...reached.values()].filter((times) => times > 0).length,
      least_at_a_place: Math.min(...reached.values()),
      acknowledged: sum(words.map(({ acknowledged }) => acknowledged)),
      orders: sum(words.map(({ orders }) => orders)),
      ready_p50_ms: at(sofar.readyMs, 0.5),
      ready_p99_ms: p99,
    },
    planted: { count: sum(words.map(({ planted }) => planted.count)), missed },
  };
}

interface Sofar {
  kills: number;
  atRandom: number;
  readyMs: number[];
  aim: ReturnType<typeof createAim>;
  chance: Chance;
  report: Run["report"];
}

async function killOne(sofar: Sofar, kills: number, seed: number): Promise<LastWord> {
  const { aim, chance, report } = sofar;
  const server = await createMalote({ MALOTE_LOG: "warn" });
  try {
    await server.start();
    const { workload, finish } = await startWork(server.url, seed, { cuts: true, unavailable: true });
    let open: (() => void) | undefined;
    let target: Target | undefined;
    for (let kill = 1; kill <= kills; kill++) {
      const { reached, gaveUp, letGo } = await die(server, target, chance);
      if (gaveUp) workload.faults.push("the server ended by itself");
      open ??= closeGate(workload);
      await letGo();
      target?.met(reached);
      sofar.kills++;
      if (!reached) sofar.atRandom++;

      target = kill < kills && sofar.atRandom * 2 > sofar.kills ? aim.next() : undefined;
      const since = performance.now();
      // A server that dies during its start has reached its place already.
      if (!(await startedWith(server, target))) continue;
      sofar.readyMs.push(performance.now() - since);
      open();
      open = undefined;
      workload.faults.push(...(await checkNow(connectionOf(server), workload)));
      if (kill % 10 === 0) {
        report(
          `${sofar.kills} kills, ${workload.acknowledged.length} acknowledged, ${workload.faults.length} faults`,
        );
      }
    }
    await finish();
    return await lastWord(connectionOf(server), workload, [server.logFile]);
  } finally {
    await server.stop();
  }
}

interface Death {
  /** True when it died at the chosen place. */
  reached: boolean;
  /** True when it ended before the kill, and not at a place. */
  gaveUp: boolean;
  /** Called when the server is dead and before the next one starts. */
  letGo(): Promise<void>;
}

const nothing = async () => undefined;

async function die(server: Server, target: Target | undefined, chance: Chance): Promise<Death> {
  if (target?.side.kind === "fail-point") {
    await Promise.race([server.ended(), sleep(placeTimeoutMs)]);
    const gaveUp = server.gaveUp();
    const reached = server.pid() === undefined && !gaveUp;
    await server.kill();
    return { reached, gaveUp, letGo: nothing };
  }
  if (target?.side.kind === "moment") {
    const paused = await pauseAt(connectionOf(server), target.side.moment, placeTimeoutMs);
    const gaveUp = server.gaveUp();
    await server.kill();
    return { ...paused, gaveUp };
  }
  await sleep(chance.between(50, 1_200));
  const gaveUp = server.gaveUp();
  await server.kill();
  return { reached: false, gaveUp, letGo: nothing };
}

async function startedWith(server: Server, target: Target | undefined): Promise<boolean> {
  try {
    await server.start(target?.environment);
    return true;
  } catch (error) {
    if (target?.side.kind === "fail-point" && server.pid() === undefined && !server.gaveUp()) return false;
    throw error;
  }
}
