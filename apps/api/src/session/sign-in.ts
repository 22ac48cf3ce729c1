/** Sign-in: by e-mail and password, then by the code of the authenticator app if the user has one (ruling D7). */
import { timingSafeEqual } from "node:crypto";
import { normaliseEmail } from "@malote/domain/email";
import {
  findCredential,
  findUserByEmail,
  findUserSecrets,
  recordCredentialUse,
  recordRefusedSignIn,
} from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { findBearerOfCredential, queryInTransaction } from "./bearer-store.ts";
import { spendFactorCode } from "./factor-code.ts";
import { claimsOf, granted, startSession } from "./grant.ts";
import type { Origin, SessionKit } from "./kit.ts";
import { hashOfSecret } from "./secret-hash.ts";
import { beginTry, checkWithin, forgiveTry, rememberPlace } from "./throttle.ts";

export async function signInWithPassword(
  kit: SessionKit,
  given: { email: string; password: string },
  origin: Origin,
) {
  const email = normaliseEmail(given.email);
  const attempt = await beginTry(kit.db, email, origin, kit.time.now());
  const user = await findUserByEmail(kit.db, email);
  const isRight = await checkWithin(
    kit.db,
    attempt,
    kit.passwords.matches(user?.passwordHash, given.password),
  );
  if (!user || !isRight) {
    await recordRefusedSignIn(kit.db, email, { action: "session.password_refused", ...origin });
    throw new AppError("wrong_credentials");
  }

  return kit.db.withCompany(user.companyId, async (tx) => {
    await forgiveTry(tx, attempt);
    const isRemembered = user.hasTwoFactor && (await isRememberedFor(kit, user, origin));
    if (user.hasTwoFactor && !isRemembered) {
      const challenge = await kit.tokens.signChallenge({
        sub: user.id,
        company: user.companyId,
        version: user.sessionVersion,
      });
      return { second_factor: { challenge } };
    }
    // A remembered browser must still give a new code where one is required.
    const token = await startSession(tx, kit, { ...user, ...(isRemembered && { confirmedAt: null }) });
    await rememberPlace(tx, email, origin, kit.time.now());
    await audit(tx, { actor: { ...user, kind: "user" }, ...origin }, "session.signed_in", user.id);
    return granted(token);
  });
}

/**
 * Returns whether this browser gave this user's code recently. Each change of password or factor changes the session
 * version and invalidates the proof.
 */
async function isRememberedFor(
  { tokens }: SessionKit,
  user: { id: string; companyId: string; sessionVersion: number },
  { device, remembered }: Origin,
): Promise<boolean> {
  const proof = remembered === undefined ? undefined : await tokens.readRemembered(remembered);
  return (
    proof !== undefined &&
    proof.sub === user.id &&
    proof.company === user.companyId &&
    proof.version === user.sessionVersion &&
    proof.device === device
  );
}

/**
 * Signs in with a code. `remembered` is a proof for the browser to store, returned when the user asked for it and gave
 * the authenticator's code.
 */
export async function signInWithCode(
  kit: SessionKit,
  given: { challenge: string; code: string; remember?: boolean | undefined },
  origin: Origin,
) {
  const challenge = await kit.tokens.readChallenge(given.challenge);
  if (!challenge) throw new AppError("second_factor_expired");
  const user = await kit.db.withCompany(challenge.company, (tx) => findUserSecrets(tx, challenge.sub));
  if (!user?.twoFactorAt || user.sessionVersion !== challenge.version)
    throw new AppError("second_factor_expired");
  const attempt = await beginTry(kit.db, user.email, origin, kit.time.now(), "code");

  // Thrown after the transaction, which must commit the audit entry of the refusal.
  const token = await kit.db.withCompany(challenge.company, async (tx) => {
    if (!(await spendFactorCode(tx, kit, user, given.code, origin))) {
      await audit(tx, { actor: { ...user, kind: "user" }, ...origin }, "session.code_refused", user.id);
      return undefined;
    }
    await forgiveTry(tx, attempt);
    const opened = await startSession(tx, kit, user);
    await rememberPlace(tx, user.email, origin, kit.time.now());
    await audit(tx, { actor: { ...user, kind: "user" }, ...origin }, "session.signed_in", user.id);
    return opened;
  });
  if (!token) throw new AppError("second_factor_wrong");
  const remembers = given.remember && origin.device !== undefined && /^\d{6}$/.test(given.code);
  const remembered = remembers
    ? await kit.tokens.signRemembered({ ...challenge, device: origin.device ?? "" })
    : undefined;
  return { ...granted(token), remembered };
}

const dummyHash = hashOfSecret("");

export async function signInAsMachine(
  kit: SessionKit,
  given: { client_id: string; client_secret: string },
  origin: Origin,
) {
  const attempt = await beginTry(kit.db, given.client_id, origin, kit.time.now(), "machine");
  const credential = await findCredential(kit.db, given.client_id);
  const isRight = timingSafeEqual(
    Buffer.from(hashOfSecret(given.client_secret)),
    Buffer.from(credential?.secretHash ?? dummyHash),
  );
  if (!credential || !isRight) {
    await recordRefusedSignIn(kit.db, given.client_id, { action: "session.secret_refused", ...origin });
    throw new AppError("wrong_credentials");
  }
  return kit.db.withCompany(credential.companyId, async (tx) => {
    await forgiveTry(tx, attempt);
    const bearer = await findBearerOfCredential(queryInTransaction(tx), tx.companyId, credential.id);
    const application = bearer?.applications[0];
    if (!bearer || !application) throw new AppError("wrong_credentials");
    const place = { kind: "machine", sessionId: bearer.id, tokenId: uuidv7(), application } as const;
    await recordCredentialUse(tx, bearer.id, origin.now);
    await rememberPlace(tx, given.client_id, origin, kit.time.now());
    await audit(
      tx,
      { actor: { ...bearer, kind: "machine" }, ...origin },
      "session.machine_signed_in",
      bearer.id,
    );
    return granted(await kit.tokens.sign(claimsOf(bearer, place)));
  });
}
