import type { Clock, MovableClock } from "../clock.ts";

/**
 * The time of people: sessions, codes and throttles. Authenticator apps and browsers show real time, so moving the
 * sandbox's clock to the next day must neither sign everybody out nor make every code wrong.
 */
export function realTime(clock: Clock | MovableClock): Clock {
  if (!("aheadMs" in clock)) return clock;
  return { now: () => new Date(clock.now().getTime() - clock.aheadMs()) };
}
