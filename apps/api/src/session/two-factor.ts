/** Turning the second factor on and off (FST-012 to FST-018). */
import type { ErrorCode } from "@malote/contracts/errors";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { findBearerOfUser } from "./bearer-store.ts";
import { startSession } from "./grant.ts";
import type { Origin, SessionKit } from "./kit.ts";
import { newCodeSecret, otpauthAddress, stepOf } from "./one-time-code.ts";
import { endEverySession } from "./session-store.ts";
import { beginTry, forgiveTry } from "./throttle.ts";
import {
  findUser,
  keepSecret,
  lockUser,
  spendStep,
  turnOffTwoFactor,
  turnOnTwoFactor,
} from "./user-store.ts";

export async function makeSecret(tx: Tx, kit: SessionKit, actor: Actor, brand: string, origin: Origin) {
  const user = await findUser(tx, actor.id);
  if (!user) throw new AppError("not_authenticated");
  const secret = newCodeSecret();
  if (!(await keepSecret(tx, user.id, kit.secrets.encrypt(secret))))
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
  const email = await kit.db.withCompany(
    actor.companyId,
    async (tx) => (await findUser(tx, actor.id))?.email,
  );
  if (!email) throw new AppError("not_authenticated");
  const attempt = await beginTry(kit.db, email, origin.address, kit.time.now());
  const outcome = await kit.db.withCompany(actor.companyId, async (tx) => {
    const done = await toggleInside(tx, kit, actor, given);
    if (done === "second_factor_invalid") {
      await audit(tx, { actor, ...origin }, "two_factor.code_refused", actor.id);
      return done;
    }
    await forgiveTry(tx, attempt);
    if (typeof done === "string") return done;
    const own = await endEverySession(tx, actor.id, actor.sessionId, kit.time.now());
    if (!own) return "not_authenticated";
    await audit(tx, { actor, ...origin }, `two_factor.${given.action}d`, actor.id);
    const { application } = actor;
    return { new_token: await startSession(tx, kit, { id: actor.id, ...done, ...own, application }) };
  });
  // The refusal is written down with its try, so it is thrown only now.
  if (typeof outcome === "string") throw new AppError(outcome);
  return outcome;
}

async function toggleInside(
  tx: Tx,
  kit: SessionKit,
  actor: Actor,
  { action, code }: { action: "enable" | "disable"; code: string },
): Promise<{ sessionVersion: number } | ErrorCode> {
  const user = await lockUser(tx, actor.id);
  const bearer = user && (await findBearerOfUser(tx, user.id));
  if (!bearer) return "not_authenticated";
  if (action === "enable" && user.twoFactorAt) return "second_factor_already_on";
  if (action === "disable" && !user.twoFactorAt) return "second_factor_already_off";
  if (action === "disable" && bearer.twoFactorEnforced) return "second_factor_enforced";

  const now = kit.time.now();
  const secret = user.twoFactorSecret;
  const step = secret === null ? undefined : stepOf(kit.secrets.decrypt(secret), code, now);
  if (step === undefined || !(await spendStep(tx, user.id, step))) return "second_factor_invalid";
  return {
    sessionVersion:
      action === "enable" ? await turnOnTwoFactor(tx, user.id, now) : await turnOffTwoFactor(tx, user.id),
  };
}
