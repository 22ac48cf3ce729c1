/** The code of the second factor at the moment of approving: looked at before the transaction that uses it up. */
import { realTime } from "../platform/auth/real-time.ts";
import type { ServeParts } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { stepOf } from "./one-time-code.ts";
import { beginTry, forgiveTry } from "./throttle.ts";
import { findUser } from "./user-store.ts";

/**
 * Only reads, so that a repeated call is answered as the first one though its code is used up. A wrong code counts as a try of
 * its own account: guessing here closes nobody's sign-in.
 */
export const createReadCode =
  (parts: Parts): NonNullable<ServeParts["readCode"]> =>
  async (actor, code, address) => {
    const { db, secrets } = parts;
    const now = realTime(parts.clock).now();
    const attempt = await beginTry(db, `approval ${actor.id}`, address, now);
    const user = await db.readCompany(actor.companyId, (tx) => findUser(tx, actor.id));
    const secret = user?.twoFactorAt ? user.twoFactorSecret : null;
    const step = secret === null ? undefined : stepOf(secrets.decrypt(secret), code.trim(), now);
    if (step === undefined) return { is: "wrong" };
    await db.withSystem((tx) => forgiveTry(tx, attempt));
    return { is: "good", step };
  };
