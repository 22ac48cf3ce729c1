import type { Clock } from "../../platform/clock.ts";

/** A clock that is ahead of the real one by a set amount. */
export interface MovableClock extends Clock {
  aheadMs(): number;
  setAhead(ms: number): void;
}

export function movableClock(aheadMs = 0): MovableClock {
  let ahead = aheadMs;
  return {
    now: () => new Date(Date.now() + ahead),
    aheadMs: () => ahead,
    setAhead(ms) {
      ahead = ms;
    },
  };
}
