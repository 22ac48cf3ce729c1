/** What time it is, for everything that asks. The sandbox can move it forward; in production nothing does. */
export interface Clock {
  now(): Date;
}

/** A clock that runs ahead of the real one by as much as it was told. */
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
