/**
 * A link to choose a password (decision 0016), for a new person or a forgotten password. It is sent to the person's
 * own e-mail, is valid once and for three days, and only its hash is stored.
 */
import { randomBytes } from "node:crypto";
import { passwordLinkHours } from "@malote/contracts/session";
import { hourMs } from "@malote/domain/durations";
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
  keepPasswordLink,
  type LinkedUser,
  removePasswordLink,
} from "./password-link-store.ts";
import { hashOfSecret } from "./secret-hash.ts";
import { endEverySession } from "./session-store.ts";
import { beginTry, checkWithin, forgiveTry, rememberPlace, type Try } from "./throttle.ts";
import { changePasswordHash, markKnownSince } from "./user-store.ts";

/** Makes a link for the user, in the transaction that asks for it, and answers its address. */
export async function makePasswordLink(
  tx: Tx,
  { config, clock }: Pick<Services, "config" | "clock">,
  userId: string,
  { hours = passwordLinkHours, isSelfAsked = false } = {},
): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  const now = realTime(clock).now();
  const expiresAt = new Date(now.getTime() + hours * hourMs);
  await keepPasswordLink(tx, { userId, secretHash: hashOfSecret(secret), isSelfAsked, now, expiresAt });
  const url = new URL(config.loginUrl, config.publicUrl);
  // Behind the #, where no browser sends it to any server, and so no log of one holds it.
  url.hash = `senha=${secret}`;
  return url.href;
}

export async function readPasswordLink(kit: SessionKit, token: string, origin: Origin) {
  const { user, attempt } = await findUser(kit, token, origin);
  await kit.db.withSystem((tx) => forgiveTry(tx, attempt));
  return { name: user.name, email: user.email };
}

export async function spendPasswordLink(
  kit: SessionKit,
  given: { token: string; newPassword: string },
  origin: Origin,
) {
  if (!isStrongPassword(given.newPassword)) throw new AppError("password_weak");
  const { user, attempt } = await findUser(kit, given.token, origin);
  // Hashing is slow, so it happens between transactions and never inside one.
  const newHash = await checkWithin(kit.db, attempt, kit.passwords.hash(given.newPassword));
  return kit.db.withCompany(user.companyId, async (tx) => {
    await forgiveTry(tx, attempt);
    const isFirst = await removePasswordLink(tx, user.id, hashOfSecret(given.token));
    const version = isFirst ? await changePasswordHash(tx, user, newHash) : undefined;
    // Used, replaced, or overtaken by another change of the account.
    if (version === undefined) throw new AppError("password_link_invalid");
    await markKnownSince(tx, user.id, kit.clock.now());
    await endEverySession(tx, user.id, undefined, kit.time.now());
    // The reader of the person's e-mail signs in from here next, also while strangers try.
    await rememberPlace(tx, user.email, origin, kit.time.now());
    await audit(tx, { actor: { ...user, kind: "user" }, ...origin }, "user.password_chosen", user.id);
    await emit(tx, emissionOf(origin), { type: "user.password_chosen", objectId: user.id, payload: {} });
    return { email: user.email };
  });
}

/** A wrong token counts as a wrong try, so that tokens cannot be guessed in numbers. */
async function findUser(
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
