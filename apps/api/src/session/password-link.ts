/**
 * Links to choose a password (decision 0016), for a new user or a forgotten password. A link is sent to the user's own
 * e-mail and works once, within three days or, when the user requested it at sign-in, one hour; only its hash is
 * stored.
 */
import { randomBytes } from "node:crypto";
import { passwordLinkHours } from "@malote/contracts/session";
import { hourMs } from "@malote/domain/durations";
import { changePasswordHash, markKnownSince } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import { isStrongPassword } from "../platform/auth/passwords.ts";
import { realTime } from "../platform/auth/real-time.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import type { Services } from "../platform/services.ts";
import type { Origin, SessionKit } from "./kit.ts";
import {
  findByPasswordLink,
  type LinkedUser,
  removePasswordLink,
  savePasswordLink,
} from "./password-link-store.ts";
import { hashOfSecret } from "./secret-hash.ts";
import { endEverySession } from "./session-store.ts";
import { beginTry, checkWithin, forgiveTry, rememberPlace, type Try } from "./throttle.ts";

/** Creates a link in the requesting transaction and returns its address. */
export async function makePasswordLink(
  tx: Tx,
  { config, clock }: Pick<Services, "config" | "clock">,
  userId: string,
  { hours = passwordLinkHours, isSelfRequested = false } = {},
): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  const now = realTime(clock).now();
  const expiresAt = new Date(now.getTime() + hours * hourMs);
  await savePasswordLink(tx, { userId, secretHash: hashOfSecret(secret), isSelfRequested, now, expiresAt });
  const url = new URL(config.loginUrl, config.publicUrl);
  // The secret is in the fragment, which browsers send to no server, so that no log contains it.
  url.hash = `senha=${secret}`;
  return url.href;
}

export async function readPasswordLink(kit: SessionKit, token: string, origin: Origin) {
  const { user, attempt } = await findUserSecrets(kit, token, origin);
  await kit.db.withSystem((tx) => forgiveTry(tx, attempt));
  return { name: user.name, email: user.email };
}

export async function spendPasswordLink(
  kit: SessionKit,
  given: { token: string; newPassword: string },
  origin: Origin,
) {
  if (!isStrongPassword(given.newPassword)) throw new AppError("password_weak");
  const { user, attempt } = await findUserSecrets(kit, given.token, origin);
  // Hashing is slow, so it runs between transactions and never inside one.
  const newHash = await checkWithin(kit.db, attempt, kit.passwords.hash(given.newPassword));
  return kit.db.withCompany(user.companyId, async (tx) => {
    await forgiveTry(tx, attempt);
    const isFirst = await removePasswordLink(tx, user.id, hashOfSecret(given.token));
    const version = isFirst ? await changePasswordHash(tx, user, newHash) : undefined;
    // The link was used or replaced, or another change of the account came first.
    if (version === undefined) throw new AppError("password_link_invalid");
    await markKnownSince(tx, user.id, kit.clock.now());
    await endEverySession(tx, user.id, undefined, kit.time.now());
    // The user signs in from here next, even while strangers use up their allowance.
    await rememberPlace(tx, user.email, origin, kit.time.now());
    await audit(tx, { actor: { ...user, kind: "user" }, ...origin }, "user.password_chosen", user.id);
    await emit(tx, emissionOf(origin), { type: "user.password_chosen", objectId: user.id, payload: {} });
    return { email: user.email };
  });
}

/** Finds the user of a token. A wrong token counts as a failed try, so that tokens cannot be guessed in bulk. */
async function findUserSecrets(
  kit: SessionKit,
  token: string,
  origin: Origin,
): Promise<{ user: LinkedUser; attempt: Try }> {
  const secretHash = hashOfSecret(token);
  const now = kit.time.now();
  const attempt = await beginTry(kit.db, secretHash, origin, now, "password-link");
  const user = await findByPasswordLink(kit.db, secretHash, now);
  if (!user) throw new AppError("password_link_invalid");
  return { user, attempt };
}
