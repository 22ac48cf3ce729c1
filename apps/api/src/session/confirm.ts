/**
 * Confirms the user's identity again, before a change that would outlive a stolen token: a credential, the second
 * factor, recovery codes, another user's factor. A recent sign-in counts; renewing a token does not.
 */

import { confirmedMinutes } from "@malote/contracts/session";
import { minuteMs } from "@malote/domain/durations";
import { findUserSecrets } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Actor } from "../platform/auth/actor.ts";
import { realTime } from "../platform/auth/real-time.ts";
import type { Clock } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import { spendFactorCode } from "./factor-code.ts";
import type { Origin, SessionKit } from "./kit.ts";
import { readConfirmedAt, setConfirmedAt } from "./session-store.ts";
import { beginTry, checkWithin, forgiveTry, ownAccountOf } from "./throttle.ts";

export async function requireIdentityConfirmed(
  tx: Tx,
  { clock }: { clock: Clock },
  actor: Actor,
): Promise<void> {
  const at = await readConfirmedAt(tx, actor.sessionId);
  const ageMs = at ? realTime(clock).now().getTime() - at.getTime() : Number.POSITIVE_INFINITY;
  if (ageMs > confirmedMinutes * minuteMs) throw new AppError("identity_unconfirmed");
}

export async function confirmIdentity(
  kit: SessionKit,
  actor: Actor,
  given: { password: string; code?: string | undefined },
  origin: Origin,
) {
  const user = await kit.db.withCompany(actor.companyId, (tx) => findUserSecrets(tx, actor.id));
  if (!user) throw new AppError("not_authenticated");
  const attempt = await beginTry(kit.db, ownAccountOf(actor), origin, kit.time.now(), "own-account");
  const isRight = await checkWithin(
    kit.db,
    attempt,
    kit.passwords.matches(user.passwordHash, given.password),
  );
  const ofCode =
    isRight && user.twoFactorAt && given.code !== undefined
      ? await checkWithin(kit.db, attempt, beginTry(kit.db, actor.id, origin, kit.time.now(), "factor-code"))
      : undefined;
  const refusal = await kit.db.withCompany(actor.companyId, async (tx) => {
    const acting = { actor, ...origin };
    if (!isRight) {
      await audit(tx, acting, "session.old_password_refused", actor.id);
      return "password_wrong" as const;
    }
    if (user.twoFactorAt && given.code === undefined) {
      await forgiveTry(tx, attempt);
      return "second_factor_needed" as const;
    }
    if (user.twoFactorAt && !(await spendFactorCode(tx, kit, user, given.code ?? "", origin))) {
      await audit(tx, acting, "session.code_refused", actor.id);
      return "second_factor_invalid" as const;
    }
    await forgiveTry(tx, attempt);
    if (ofCode) await forgiveTry(tx, ofCode);
    await setConfirmedAt(tx, actor.sessionId, kit.time.now());
    await audit(tx, acting, "session.identity_confirmed", actor.id);
    return undefined;
  });
  // Thrown after the transaction, which must commit the failed try.
  if (refusal) throw new AppError(refusal);
  return { ok: true as const };
}
