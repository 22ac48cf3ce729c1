/**
 * The server dies again and again while its clients work: half of the times at random, half at a place aimed at. After
 * each start everything acknowledged is looked for and the books are checked.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createMalote, type Server } from "../../e2e/server.ts";
import { type Chance, chanceOf } from "../chance.ts";
import type { Outcome, Run } from "../proof.ts";
import { standAt } from "./moments.ts";
import { createAim, type Target } from "./places.ts";
import { connectionOf } from "./postgres-of.ts";
import { at } from "./times.ts";
import { checkNow, lastWord } from "./verdict.ts";
import { closeGate, startWork } from "./work.ts";

/** A place that is not met by then is not met this time: the kill counts as one at random. */
const placeTimeoutMs = 2_500;
const readyP99MsMax = 2_000;

export async function killAgainAndAgain({ count, size, seed, tell }: Run): Promise<Outcome> {
  const chance = chanceOf(seed);
  const server = await createMalote({ MALOTE_LOG: "warn" });
  try {
    await server.start();
    const { world, finish } = await startWork(server.url, seed, { cuts: true, unavailable: true });
    const aim = createAim(chance);
    const readyMs: number[] = [];
    let open: (() => void) | undefined;
    let target: Target | undefined;
    let atRandom = 0;
    for (let kill = 1; kill <= count; kill++) {
      const { reached, letGo } = await die(server, target, chance);
      open ??= closeGate(world);
      await letGo();
      target?.met(reached);
      if (!reached) atRandom++;
      if (kill % 10 === 0) {
        tell(`${kill} kills, ${world.acknowledged.length} acknowledged, ${world.faults.length} faults`);
      }

      target = kill < count && atRandom * 2 > kill ? aim.next() : undefined;
      const since = performance.now();
      // One that dies on its way up has met its place already.
      if (!(await startedWith(server, target))) continue;
      readyMs.push(performance.now() - since);
      open();
      open = undefined;
      world.faults.push(...(await checkNow(connectionOf(server), world)));
    }

    await finish();
    const { faults, orders, acknowledged, planted } = await lastWord(connectionOf(server), world, [
      server.logFile,
    ]);
    const p99 = at(readyMs, 0.99);
    const reached = aim.reached();
    // A few kills on a machine that runs other work too say nothing about the slowest start.
    if (size === "full" && p99 > readyP99MsMax) faults.push(`ready again after ${p99} ms at p99`);
    if (size === "full") {
      for (const [place, times] of reached) if (times === 0) faults.push(`never died at: ${place}`);
    }
    return {
      faults,
      figures: {
        at_random: atRandom,
        at_places: count - atRandom,
        places: [...reached.values()].filter((times) => times > 0).length,
        least_at_a_place: Math.min(...reached.values()),
        acknowledged,
        orders,
        ready_p50_ms: at(readyMs, 0.5),
        ready_p99_ms: p99,
      },
      planted,
    };
  } finally {
    await server.stop();
  }
}

interface Death {
  /** It died where it was aimed at. */
  reached: boolean;
  /** Called when the server is dead and before the next one starts. */
  letGo(): Promise<void>;
}

const nothing = async () => undefined;

async function die(server: Server, target: Target | undefined, chance: Chance): Promise<Death> {
  if (target?.side.kind === "fail-point") {
    await Promise.race([server.ended(), sleep(placeTimeoutMs)]);
    const reached = server.pid() === undefined;
    await server.kill();
    return { reached, letGo: nothing };
  }
  if (target?.side.kind === "moment") {
    const standing = await standAt(connectionOf(server), target.side.moment, placeTimeoutMs);
    await server.kill();
    return standing;
  }
  await sleep(chance.between(50, 1_200));
  await server.kill();
  return { reached: false, letGo: nothing };
}

async function startedWith(server: Server, target: Target | undefined): Promise<boolean> {
  try {
    await server.start(target?.environment);
    return true;
  } catch (error) {
    if (target?.side.kind === "fail-point" && server.pid() === undefined) return false;
    throw error;
  }
}
