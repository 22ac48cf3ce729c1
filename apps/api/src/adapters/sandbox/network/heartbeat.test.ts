import { afterEach, expect, it, vi } from "vitest";
import { createHeartbeat } from "../../../platform/heartbeat.ts";
import { createLog } from "../../../platform/log.ts";
import type { RailEvent } from "../../../ports/rails.ts";
import { movableClock } from "../clock.ts";
import { createSandboxNetwork } from "./network.ts";
import { openSandbox, order, type TestSandbox } from "./testing.ts";

const log = createLog("silent");

let sandbox: TestSandbox | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await sandbox?.close();
  sandbox = undefined;
});

it("rests a second when no event is due, wakes when called and survives an error", async () => {
  vi.useFakeTimers();
  const beats: number[] = [];
  const plan: (() => number | undefined)[] = [
    () => undefined,
    () => 300,
    () => {
      throw new Error("no database");
    },
    () => 60_000,
    () => undefined,
  ];
  const began = Date.now();
  const heartbeat = createHeartbeat(log);
  heartbeat.start(async () => {
    beats.push(Date.now() - began);
    return plan.shift()?.();
  });
  await vi.advanceTimersByTimeAsync(2_500);
  // Expected deliveries: at once, after the pause of a second, at the due time, and after the pause that follows an
  // error.
  expect(beats).toEqual([0, 1_000, 1_300, 2_300]);
  heartbeat.wake();
  await vi.advanceTimersByTimeAsync(5);
  expect(beats).toHaveLength(5);
  await heartbeat.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(beats).toHaveLength(5);
});

it("keeps the clock value that was requested last, in whatever order the answers arrive", async () => {
  sandbox = await openSandbox();
  const clock = movableClock();
  const late: (() => void)[] = [];
  let isSlow = true;
  const db: typeof sandbox.db = {
    ...sandbox.db,
    async withSandbox(work) {
      const answer = await sandbox!.db.withSandbox(work);
      if (isSlow) await new Promise<void>((resolve) => late.push(resolve));
      return answer;
    },
  };
  const network = createSandboxNetwork({ db, clock, log });
  await sandbox.network.moveClockTo(new Date(sandbox.clock.now().getTime() + 60_000));
  const older = network.loadClock();
  await vi.waitFor(() => expect(late).toHaveLength(1));

  isSlow = false;
  // The state that starting over leaves.
  await sandbox.db.pool.query("UPDATE sandbox.settings SET clock_ahead_ms = 0");
  await network.loadClock();
  late[0]!();
  await older;
  expect(clock.aheadMs()).toBe(0);
});

it("delivers due events on its own, and follows a clock that another process moved", async () => {
  sandbox = await openSandbox();
  const { db } = sandbox;
  const worker = createSandboxNetwork({ db, clock: movableClock(), log });
  const web = createSandboxNetwork({ db, clock: movableClock(), log });
  await worker.changeSettings({ pix_latency_ms: 3_600_000 });

  const delivered = new Promise<readonly RailEvent[]>((resolve) =>
    worker.start(async (events) => resolve(events)),
  );
  const receiveInWeb = vi.fn();
  web.start(receiveInWeb, { delivers: false });
  const sent = order();
  await web.rails.send([sent]);
  await web.moveClockTo(new Date(Date.now() + 3_700_000));

  expect(await delivered).toMatchObject([{ kind: "settled", endToEndId: sent.endToEndId }]);
  await Promise.all([worker.stop(), web.stop()]);
  expect(receiveInWeb).not.toHaveBeenCalled();
});
