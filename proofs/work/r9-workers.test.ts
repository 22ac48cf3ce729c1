import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { checkBooks } from "../../apps/api/src/ledger/check-books.ts";
import { type Chance, chanceOf } from "../chance.ts";
import { proof, type Run, type Size } from "../proof.ts";
import { openDesk } from "./company-work.ts";
import {
  askWith,
  missedPlants,
  openWork,
  pickUps,
  plantCount,
  type RunQuery,
  watchTheWork,
  wrongEffects,
} from "./effects.ts";
import { handOverPlaces, pauseWorker, resumeWorker } from "./pause-worker.ts";
import { openSlots, type Slot } from "./worker-slots.ts";

const workersOf: Record<Size, number> = { short: 2, reduced: 3, full: 3 };
const paymentsPerKill = 200;
const pickedUpWithinSeconds = 15;
/** Longer than a job or a claimed payment may last without a heartbeat. */
const leaseMs = 12_000;
const sleepsFor: Record<Size, number> = { short: 1, reduced: 2, full: 40 };
/** The maximum life of a worker with a fail-point, which it may never reach. */
const lifeMsMax = 9_000;
const noProgressMs = 90_000;

/** Fail-points at which a worker can kill itself, so that each side of every step is covered. */
const failPoints = [
  "after-job-fetched",
  "before-job-acknowledged",
  "before-rail-call",
  "after-rail-call",
  "before-commit",
  "after-commit",
  "after-event-received",
  "after-event-applied",
  "before-event-acknowledged",
  "after-event-acknowledged",
];

proof(
  "R9",
  "pays each payment once, whichever workers die, pause or repeat the work of others",
  { unit: "payments", short: 60, reduced: 4_000, full: 100_000 },
  workAndDie,
);

async function workAndDie({ count, size, seed, report }: Run) {
  const chance = chanceOf(seed);
  const desk = await openDesk();
  const client = new pg.Client(desk.connection);
  await client.connect();
  const ask = askWith(client);
  const workerCount = workersOf[size];
  const slots = await openSlots(desk.connection, workerCount);
  const kills = Math.max(workerCount, Math.ceil(count / paymentsPerKill));
  let sleeps = 0;
  let closed = 0;
  try {
    await client.query(watchTheWork);
    // Lost answers, events delivered twice and failed payments are part of every day.
    await desk.network.changeSettings({
      pix_latency_ms: 100,
      timeout_percent: 5,
      duplicate_percent: 20,
      failure_percent: 2,
    });
    closed += await desk.closeSome(Math.min(count, 2 * paymentsPerKill), chance);
    const lives = slots.all.map((slot, index) =>
      liveAndDie(slot, Math.ceil((kills - index) / workerCount), chanceOf(seed * 100 + index)),
    );
    const allDead = Promise.all(lives);
    allDead.catch(() => undefined);
    while (closed < count) {
      // Batches are closed shortly before the deaths, so that dying workers hold work.
      if (slots.deaths.length < kills && closed > (slots.deaths.length + 2) * paymentsPerKill) {
        await Promise.race([sleep(100), allDead]);
        continue;
      }
      closed += await desk.closeSome(Math.min(paymentsPerKill, count - closed), chance);
      report(`${closed} payments closed, ${slots.deaths.length} of ${kills} workers killed, ${sleeps} slept`);
    }
    await allDead;
    for (const slot of slots.all) slot.start();
    for (let night = 0; night < sleepsFor[size]; night++) {
      // Others wait for locks that it holds while it sleeps, so no death may happen at that time.
      await rest();
      const slot = slots.all[night % workerCount];
      const place = handOverPlaces[night % handOverPlaces.length];
      if (slot && place) await sleepAtWork(slot, place);
    }
    await rest();
    await Promise.all(slots.all.map((slot) => slot.shutDown()));

    const faults = [
      ...(await wrongEffects(ask, closed)),
      ...(await checkBooks(desk.app.services.db)).map(({ rule, where }) => `books: ${rule} (${where})`),
    ];
    const { jobs, payments, jobsDone } = await pickUps(ask, slots.deaths);
    const [slowestJob] = jobs.toSorted((a, b) => b.noticed + b.taken - a.noticed - a.taken);
    const jobSeconds = slowestJob ? slowestJob.noticed + slowestJob.taken : 0;
    const slowest = Math.max(jobSeconds, ...payments);
    if (sleeps === 0) faults.push("no worker slept on its work");
    if (size !== "short" && jobs.length === 0) faults.push("no killed worker left a job behind");
    if (size !== "short" && slowest > pickedUpWithinSeconds)
      faults.push(
        `what a killed worker left lay there for ${slowest.toFixed(1)} s: ${JSON.stringify(slowestJob)}`,
      );
    if (faults.length > 0) faults.push(`the workers said: ${slots.log().slice(-1_500)}`);
    return {
      faults,
      figures: {
        jobs: jobsDone,
        kills: slots.deaths.length,
        slept: sleeps,
        orphan_jobs: jobs.length,
        orphan_payments: payments.length,
        slowest_job_s: Number(jobSeconds.toFixed(1)),
        slowest_payment_s: Number(Math.max(0, ...payments).toFixed(1)),
      },
      planted: { count: plantCount, missed: await missedPlants(client, closed) },
    };
  } finally {
    await slots.close();
    await client.end();
    await desk.close();
  }

  /** Chance decides whether the worker is killed from outside or at a chosen place. */
  async function liveAndDie(slot: Slot, times: number, chance: Chance): Promise<void> {
    for (let life = 1; life <= times; life++) {
      // A worker is killed only once there is work.
      while (closed < count && slots.deaths.length * paymentsPerKill > closed) await sleep(100);
      const point = chance.happens(50) ? chance.oneOf(failPoints) : undefined;
      slot.start(point && `${point}:${chance.between(1, 20)}`);
      if (point) await Promise.race([slot.ended(), sleep(lifeMsMax)]);
      else await sleep(chance.between(1_200, size === "short" ? 3_000 : 8_000));
      await slot.kill();
    }
  }

  /**
   * The worker stops in the middle of a hand-over; its claim expires, others take the payments, and then it resumes.
   */
  async function sleepAtWork(slot: Slot, place: (typeof handOverPlaces)[number]): Promise<void> {
    let isPaused = false;
    for (let tries = 0; tries < 20 && !isPaused; tries++) {
      const pausing = pauseWorker(client, slot, place, 1_000);
      closed += await desk.closeSome(20, chance);
      isPaused = await pausing;
      if (!isPaused) await resumeWorker(client, slot, place);
    }
    if (!isPaused) return;
    const taken = await orphansTaken(ask);
    await (size === "short" ? endLeases() : sleep(leaseMs));
    for (let waited = 0; waited < 50 && (await orphansTaken(ask)) === taken; waited++) await sleep(100);
    await resumeWorker(client, slot, place);
    sleeps++;
  }

  /** The short form does not wait: it moves the time of payments and jobs. */
  async function endLeases(): Promise<void> {
    const { clock } = desk.app.services;
    await desk.network.moveClockTo(new Date(clock.now().getTime() + leaseMs));
    await client.query(
      "UPDATE pgboss.job_common SET heartbeat_on = heartbeat_on - interval '11 s' WHERE state = 'active'",
    );
  }

  /** Runs until no work is left, or nothing changes any more. */
  async function rest(): Promise<void> {
    let left = Number.POSITIVE_INFINITY;
    for (let movedAt = performance.now(); left > 0 && performance.now() - movedAt < noProgressMs; ) {
      const now = await openWork(ask);
      if (now < left) movedAt = performance.now();
      left = now;
      if (left === 0) return;
      if (size === "short") await endLeases();
      await sleep(size === "short" ? 500 : 200);
    }
  }
}

async function orphansTaken(ask: RunQuery): Promise<number> {
  const [row] = await ask<{ count: number }>("SELECT count(*)::int AS count FROM proof_orphans");
  return row?.count ?? 0;
}
