import { openPasswords, type Passwords } from "../platform/auth/passwords.ts";
import { realTime } from "../platform/auth/real-time.ts";
import { openTokens, type Tokens } from "../platform/auth/tokens.ts";
import type { Clock } from "../platform/clock.ts";
import type { Services } from "../platform/services.ts";

/** What signing in is made with, beside the services every feature has. */
export interface SessionKit extends Services {
  tokens: Tokens;
  passwords: Passwords;
  /** Real time, for sessions and codes; `clock` is the business's. */
  time: Clock;
}

export const sessionKit = (services: Services): SessionKit => ({
  ...services,
  tokens: openTokens(services),
  passwords: openPasswords(),
  time: realTime(services.clock),
});

/** Where a call comes from, for throttling and the audit trail. */
export interface Origin {
  address: string;
  /** The name its browser was given at an earlier sign-in. */
  device?: string | undefined;
  /** What it was given with a code of the second factor, to be asked for none for some days. */
  remembered?: string | undefined;
  requestId: string;
  now: Date;
}
