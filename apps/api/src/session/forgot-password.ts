/**
 * Sends a link to a user who forgot the password. The answer to an unknown address is the same and takes as long,
 * because it must not reveal who our customers are.
 */

import { setTimeout as rest } from "node:timers/promises";
import { forgottenPasswordHours } from "@malote/contracts/session";
import { hourMs } from "@malote/domain/durations";
import { normaliseEmail } from "@malote/domain/email";
import { queueEmail, written } from "../emails/index.ts";
import { findUserByEmail } from "../identities/index.ts";
import { audit } from "../platform/audit.ts";
import type { Origin, SessionKit } from "./kit.ts";
import { makePasswordLink } from "./password-link.ts";
import { beginTry } from "./throttle.ts";

/** Fixed answer time in milliseconds, longer than the work for a known address. */
const answerAfterMs = 400;

export async function forgotPassword(kit: SessionKit, given: string, origin: Origin) {
  const email = normaliseEmail(given);
  // This try always counts: it limits e-mails to one person, and the addresses that one stranger may try.
  await beginTry(kit.db, email, origin, kit.time.now(), "forgot-password");
  const answered = rest(answerAfterMs);
  try {
    const user = await findUserByEmail(kit.db, email);
    if (user) await emailPasswordReset(kit, { ...user, email }, origin);
  } finally {
    await answered;
  }
  return { ok: true as const };
}

async function emailPasswordReset(
  kit: SessionKit,
  user: { companyId: string; id: string; name: string; email: string },
  origin: Origin,
): Promise<void> {
  await kit.db.withCompany(user.companyId, async (tx) => {
    const url = await makePasswordLink(tx, kit, user.id, {
      hours: forgottenPasswordHours,
      isSelfRequested: true,
    });
    await audit(tx, { actor: { ...user, kind: "user" }, ...origin }, "user.password_forgotten", user.id);
    await queueEmail(tx, kit, written("passwordForgotten", { email: user.email, url }), {
      to: user,
      now: origin.now,
      goodUntil: new Date(origin.now.getTime() + forgottenPasswordHours * hourMs),
    });
  });
}
