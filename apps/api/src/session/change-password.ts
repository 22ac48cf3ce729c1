/** Changes the password (ACC-010 to ACC-013). Hashing is slow, so it runs between transactions and never inside one. */
import { auditChanges } from "@malote/domain/audit-trail";
import { changePasswordHash, endCredentialsMadeBy, findUserSecrets } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Actor } from "../platform/auth/actor.ts";
import { isStrongPassword } from "../platform/auth/passwords.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import { startSession } from "./grant.ts";
import type { Origin, SessionKit } from "./kit.ts";
import { deletePasswordLinks } from "./password-link-store.ts";
import { endEverySession, readConfirmedAt } from "./session-store.ts";
import { beginTry, checkWithin, forgiveTry, ownAccountOf } from "./throttle.ts";

export async function changePassword(
  kit: SessionKit,
  actor: Actor,
  given: { oldPassword: string; newPassword: string; endCredentials?: boolean | undefined },
  origin: Origin,
) {
  if (!isStrongPassword(given.newPassword)) throw new AppError("password_weak");
  const user = await kit.db.withCompany(actor.companyId, async (tx) => {
    const found = await findUserSecrets(tx, actor.id);
    // A session from a remembered browser has no confirmed code, and the password alone may be known to another person
    // (decision 0058).
    if (found?.twoFactorAt && (await readConfirmedAt(tx, actor.sessionId)) === null)
      throw new AppError("identity_unconfirmed");
    return found;
  });
  if (!user) throw new AppError("not_authenticated");

  const attempt = await beginTry(kit.db, ownAccountOf(actor), origin, kit.time.now(), "own-account");
  const check = kit.passwords.matches(user.passwordHash, given.oldPassword);
  if (!(await checkWithin(kit.db, attempt, check))) {
    await kit.db.withCompany(actor.companyId, (tx) =>
      audit(tx, { actor, ...origin }, "session.old_password_refused", actor.id),
    );
    throw new AppError("password_wrong");
  }
  if (given.newPassword === given.oldPassword) {
    await kit.db.withCompany(actor.companyId, (tx) => forgiveTry(tx, attempt));
    throw new AppError("password_repeated");
  }

  const newHash = await kit.passwords.hash(given.newPassword);
  return kit.db.withCompany(actor.companyId, async (tx) => {
    await forgiveTry(tx, attempt);
    const sessionVersion = await changePasswordHash(tx, user, newHash);
    const own = await endEverySession(tx, actor.id, actor.sessionId, kit.time.now());
    // Another change or a logout came first.
    if (sessionVersion === undefined || !own) throw new AppError("not_authenticated");
    await deletePasswordLinks(tx, actor.id);
    const acting = { actor, ...origin };
    await audit(tx, acting, "user.password_changed", actor.id);
    const ended = given.endCredentials ? await endCredentialsMadeBy(tx, actor.id, origin.now) : [];
    for (const { id, client_id } of ended)
      await audit(tx, acting, "credential_revoked", id, { changes: auditChanges({ client_id }, {}) });
    await emit(tx, emissionOf(origin), {
      type: "user.password_changed",
      objectId: actor.id,
      payload: { endedCredentials: ended.length > 0 },
    });
    const { application } = actor;
    const { expiresAt, confirmedAt } = own;
    // With a second factor, the old password alone does not confirm the identity.
    const proof = user.twoFactorAt ? { confirmedAt } : {};
    const session = { id: actor.id, sessionVersion, expiresAt, application, ...proof };
    return { new_token: await startSession(tx, kit, session) };
  });
}
