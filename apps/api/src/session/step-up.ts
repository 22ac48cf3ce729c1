/** Second-factor code at the moment of approving: checked before the transaction that uses it up. */

import { findUserSecrets } from "../identities/index.ts";
import { realTime } from "../platform/auth/real-time.ts";
import type { ReadCode } from "../platform/http/given-code.ts";
import type { Services } from "../platform/services.ts";
import { stepOf } from "./one-time-code.ts";
import { beginTry, forgiveTry } from "./throttle.ts";

/**
 * Checks a code without using it up; the action does that. Wrong codes count per user, over all sessions, and
 * separately from sign-in, so that guessing here locks no user out.
 */
export const createReadCode =
  (services: Services): ReadCode =>
  async (actor, code, address) => {
    const { db, secrets } = services;
    const now = realTime(services.clock).now();
    const attempt = await beginTry(db, actor.id, address, now, "factor-code");
    const user = await db.readCompany(actor.companyId, (tx) => findUserSecrets(tx, actor.id));
    const secret = user?.twoFactorAt ? user.twoFactorSecret : null;
    const step = secret === null ? undefined : stepOf(secrets.decrypt(secret), code.trim(), now);
    if (step === undefined) return { is: "wrong" };
    await db.withSystem((tx) => forgiveTry(tx, attempt));
    return { is: "good", step };
  };
