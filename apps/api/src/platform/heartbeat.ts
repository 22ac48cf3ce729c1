/** Recurring work with a known next time: sleeps until that time or until it is woken, at most a second. */
import type { Log } from "./log.ts";

/** Maximum sleep in milliseconds: other processes can add work or move the clock without waking this one. */
const sleepMaxMs = 1_000;
/** Minimum pause in milliseconds, so that permanent work leaves time for other tasks. */
const sleepMinMs = 5;

/** Function that does the due work; returns the milliseconds until the next, undefined when unknown. */
type Beat = () => Promise<number | undefined>;

export function createHeartbeat(log: Log) {
  let stopping = false;
  let running: Promise<void> | undefined;
  let wokenMeanwhile = false;
  let wakeSleeper: (() => void) | undefined;

  function wake() {
    wokenMeanwhile = true;
    wakeSleeper?.();
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeSleeper = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function run(beat: Beat) {
    while (!stopping) {
      wokenMeanwhile = false;
      let nextMs: number | undefined;
      try {
        nextMs = await beat();
      } catch (error) {
        log.warn({ err: error }, "scheduled work failed, retrying");
      }
      if (stopping) return;
      // A wake during the run may concern work that the run had already passed.
      const dueMs = wokenMeanwhile ? 0 : (nextMs ?? sleepMaxMs);
      await sleep(Math.min(sleepMaxMs, Math.max(sleepMinMs, dueMs)));
      wakeSleeper = undefined;
    }
  }

  return {
    start(beat: Beat) {
      if (running !== undefined) throw new Error("this heartbeat was already started");
      running = run(beat);
    },
    wake,
    async stop() {
      stopping = true;
      wake();
      await running;
    },
  };
}
