import { openPasswords, type Passwords } from "../platform/auth/passwords.ts";
import { realTime } from "../platform/auth/real-time.ts";
import { openTokens, type Tokens } from "../platform/auth/tokens.ts";
import type { Clock } from "../platform/clock.ts";
import type { Parts } from "../platform/parts.ts";

/** What signing in is made with, beside the parts every feature has. */
export interface SessionKit extends Parts {
  tokens: Tokens;
  passwords: Passwords;
  /** Real time, for sessions and codes; `clock` is the business's. */
  time: Clock;
}

export const sessionKit = (parts: Parts): SessionKit => ({
  ...parts,
  tokens: openTokens(parts),
  passwords: openPasswords(),
  time: realTime(parts.clock),
});

/** Where a call comes from, for throttling and the audit trail. */
export interface Origin {
  address: string;
  /** The name its browser was given at an earlier sign-in. */
  device?: string | undefined;
  requestId: string;
  now: Date;
}
