import type { Clock } from "../clock.ts";

/**
 * Real time, for sessions, codes and throttles. Authenticator apps and browsers use real time, so moving the sandbox's
 * clock must neither sign users out nor invalidate every code.
 */
export const realTime = (clock: Clock): Clock => ({
  now: () => new Date(clock.now().getTime() - (clock.aheadMs?.() ?? 0)),
});
