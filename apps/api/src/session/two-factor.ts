/** Turns the second factor on and off (FST-012 to FST-018). */
import type { ErrorCode } from "@malote/contracts/errors";
import { auditChanges } from "@malote/domain/audit-trail";
import {
  findUserSecrets,
  listAdminIds,
  lockUserSecrets,
  saveFactorSecret,
  turnOffTwoFactor,
  turnOnTwoFactor,
} from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Actor } from "../platform/auth/actor.ts";
import { realTime } from "../platform/auth/real-time.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import type { Services } from "../platform/services.ts";
import { findBearerOfUser } from "./bearer-store.ts";
import { requireIdentityConfirmed } from "./confirm.ts";
import { spendFactorCode } from "./factor-code.ts";
import { startSession } from "./grant.ts";
import type { Origin, SessionKit } from "./kit.ts";
import { newCodeSecret, otpauthAddress } from "./one-time-code.ts";
import { countRecoveryCodes, deleteRecoveryCodes, replaceRecoveryCodes } from "./recovery-code-store.ts";
import { endEverySession } from "./session-store.ts";
import { beginTry, forgiveTry } from "./throttle.ts";

export async function makeSecret(tx: Tx, kit: SessionKit, actor: Actor, brand: string, origin: Origin) {
  const user = await findUserSecrets(tx, actor.id);
  if (!user) throw new AppError("not_authenticated");
  const secret = newCodeSecret();
  if (!(await saveFactorSecret(tx, user.id, kit.secrets.encrypt(secret))))
    throw new AppError("second_factor_already_on");
  await audit(tx, { actor, ...origin }, "two_factor.secret_made", user.id);
  return { secret, qrcode: otpauthAddress(secret, { brand, email: user.email }) };
}

export async function toggleTwoFactor(
  kit: SessionKit,
  actor: Actor,
  given: { action: "enable" | "disable"; code: string },
  origin: Origin,
) {
  const email = await kit.db.withCompany(actor.companyId, async (tx) => {
    await requireIdentityConfirmed(tx, kit, actor);
    return (await findUserSecrets(tx, actor.id))?.email;
  });
  if (!email) throw new AppError("not_authenticated");
  const attempt = await beginTry(kit.db, actor.id, origin, kit.time.now(), "factor-code");
  const outcome = await kit.db.withCompany(actor.companyId, async (tx) => {
    const done = await toggleInside(tx, kit, actor, given, origin);
    if (done === "second_factor_invalid") {
      await audit(tx, { actor, ...origin }, "two_factor.code_refused", actor.id);
      return done;
    }
    await forgiveTry(tx, attempt);
    if (typeof done === "string") return done;
    const own = await endEverySession(tx, actor.id, actor.sessionId, kit.time.now());
    if (!own) return "not_authenticated";
    const turnsOn = given.action === "enable";
    await audit(tx, { actor, ...origin }, `two_factor.${given.action}d`, actor.id, {
      changes: auditChanges({ two_factor: !turnsOn }, { two_factor: turnsOn }),
    });
    const { application } = actor;
    const { expiresAt } = own;
    const { sessionVersion } = done;
    await deleteRecoveryCodes(tx, actor.id);
    await emit(tx, emissionOf(origin), {
      type: "user.factor_changed",
      objectId: actor.id,
      payload: { admins: await listAdminIds(tx), name: actor.name, isOn: turnsOn },
    });
    return {
      new_token: await startSession(tx, kit, { id: actor.id, sessionVersion, expiresAt, application }),
      ...(turnsOn && { recovery_codes: await replaceRecoveryCodes(tx, actor.id, kit.time.now()) }),
    };
  });
  // Thrown after the transaction, which must commit the failed try.
  if (typeof outcome === "string") throw new AppError(outcome);
  return outcome;
}

async function toggleInside(
  tx: Tx,
  kit: SessionKit,
  actor: Actor,
  { action, code }: { action: "enable" | "disable"; code: string },
  origin: Origin,
): Promise<{ sessionVersion: number; user: { name: string; email: string } } | ErrorCode> {
  const user = await lockUserSecrets(tx, actor.id);
  const bearer = user && (await findBearerOfUser(tx, user.id));
  if (!bearer) return "not_authenticated";
  if (action === "enable" && user.twoFactorAt) return "second_factor_already_on";
  if (action === "disable" && !user.twoFactorAt) return "second_factor_already_off";
  if (action === "disable" && bearer.twoFactorEnforced) return "second_factor_enforced";

  const now = kit.time.now();
  if (!(await spendFactorCode(tx, kit, user, code, origin))) return "second_factor_invalid";
  return {
    user,
    sessionVersion:
      action === "enable"
        ? await turnOnTwoFactor(tx, user.id, { now, knownSince: kit.clock.now() })
        : await turnOffTwoFactor(tx, user.id, kit.clock.now()),
  };
}

export async function renewRecoveryCodes(tx: Tx, kit: SessionKit, actor: Actor, origin: Origin) {
  await requireIdentityConfirmed(tx, kit, actor);
  const user = await lockUserSecrets(tx, actor.id);
  if (!user) throw new AppError("not_authenticated");
  if (!user.twoFactorAt) throw new AppError("second_factor_already_off");
  const codes = await replaceRecoveryCodes(tx, user.id, kit.time.now());
  await audit(tx, { actor, ...origin }, "two_factor.recovery_codes_made", user.id);
  await emit(tx, emissionOf(origin), { type: "user.recovery_codes_made", objectId: user.id, payload: {} });
  return { recovery_codes: codes };
}

export const readRecoveryCodesLeft = async (tx: Tx, actor: Actor) => ({
  left: await countRecoveryCodes(tx, actor.id),
});

/**
 * Removes the factor of a user who lost phone and recovery codes. The admin can neither read nor choose any part of it.
 */
export async function removeTwoFactor(
  tx: Tx,
  { clock }: Pick<Services, "clock">,
  userId: string,
): Promise<void> {
  const now = realTime(clock).now();
  await turnOffTwoFactor(tx, userId, clock.now());
  await deleteRecoveryCodes(tx, userId);
  await endEverySession(tx, userId, undefined, now);
}
