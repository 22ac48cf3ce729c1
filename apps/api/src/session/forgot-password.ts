/**
 * A link for somebody who forgot their password, asked for by themselves. The answer is the same, and takes as long, whether the
 * address is anybody's: it must not become a list of our customers.
 */

import { setTimeout as rest } from "node:timers/promises";
import { forgottenPasswordHours } from "@malote/contracts/session";
import { normaliseEmail } from "@malote/domain/email";
import { audit } from "../platform/audit.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Origin, SessionKit } from "./kit.ts";
import { makePasswordLink } from "./password-link.ts";
import { beginTry } from "./throttle.ts";
import { findUserByEmail } from "./user-store.ts";

/** Longer than the work takes for an address that is known. */
const answerAfterMs = 400;

export async function forgotPassword(kit: SessionKit, given: string, origin: Origin) {
  const email = normaliseEmail(given);
  // Never forgiven: it is the bound of e-mails to one person, and of addresses one stranger may ask about.
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
      isSelfAsked: true,
    });
    await audit(tx, { actor: { ...user, kind: "user" }, ...origin }, "user.password_forgotten", user.id);
    await queueMail(tx, kit.jobs, {
      to: user.email,
      subject: "Crie uma nova senha",
      content: {
        greeting: `Olá, ${user.name.split(" ", 1)[0] ?? user.name}!`,
        paragraphs: [
          "Alguém, que esperamos que seja você, pediu um link para criar uma nova senha. Até lá, a senha atual continua valendo.",
          "O link vale uma única vez e por 1 hora. Não o encaminhe: quem o tiver pode trocar sua senha. A autenticação em 2 fatores, se você a usa, continua a mesma.",
          "Se não foi você, ignore este e-mail.",
        ],
        facts: [{ label: "E-mail para entrar", value: user.email }],
        button: { label: "Criar nova senha", url },
      },
      now: origin.now,
      goodUntil: new Date(origin.now.getTime() + forgottenPasswordHours * 3_600_000),
    });
  });
}
