import { openPasswords, type Passwords } from "../platform/auth/passwords.ts";
import { realTime } from "../platform/auth/real-time.ts";
import { openTokens, type Tokens } from "../platform/auth/tokens.ts";
import type { Clock } from "../platform/clock.ts";
import type { Services } from "../platform/services.ts";

/** Dependencies of signing in, besides those of every feature. */
export interface SessionKit extends Services {
  tokens: Tokens;
  passwords: Passwords;
  /** Real time, for sessions and codes; `clock` is the business clock. */
  time: Clock;
}

export const sessionKit = (services: Services): SessionKit => ({
  ...services,
  tokens: openTokens(services),
  passwords: openPasswords(),
  time: realTime(services.clock),
});

/** Source of a call, for throttling and the audit trail. */
export interface Origin {
  address: string;
  /** Name that the browser got at an earlier sign-in. */
  device?: string | undefined;
  /** Proof of an earlier second-factor code, which spares the browser another one for some days. */
  remembered?: string | undefined;
  requestId: string;
  now: Date;
}
