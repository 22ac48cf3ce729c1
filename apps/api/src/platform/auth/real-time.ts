import type { Clock } from "../clock.ts";

/**
 * The time of people: sessions, codes and throttles. Authenticator apps and browsers show real time, so moving the
 * sandbox's clock to the next day must neither sign people out nor make every code wrong.
 */
export const realTime = (clock: Clock): Clock => ({
  now: () => new Date(clock.now().getTime() - (clock.aheadMs?.() ?? 0)),
});
