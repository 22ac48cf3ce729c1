/**
 * Links to choose a password, e-mailed in the transaction that creates them and not by an event: the event log must
 * contain neither a secret that grants access nor which address signs in elsewhere.
 */
import { passwordLinkHours } from "@malote/contracts/session";
import { hourMs } from "@malote/domain/durations";
import { passwordEmailsPerHourMax } from "@malote/domain/limits";
import { lockCompany, readCompany } from "../company/index.ts";
import { queueEmail, written } from "../emails/index.ts";
import { AppError } from "../platform/app-error.ts";
import { countEntries } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { mailBrands } from "../platform/mail/email-text.ts";
import type { Services } from "../platform/services.ts";
import { makePasswordLink } from "../session/index.ts";

export interface PasswordEmail {
  to: { id: string; name: string; email: string; hasPassword: boolean };
  from: { name: string };
  now: Date;
}

/** E-mails a new link each time. Limited, because the address may belong to a stranger. */
export async function emailPasswordLink(
  tx: Tx,
  services: Services,
  { to, from, now }: PasswordEmail,
): Promise<void> {
  await requireFewEmails(tx, now);
  const { name: company, brand } = await readCompany(tx);
  const link = {
    product: mailBrands[brand].name,
    company,
    by: from.name,
    email: to.email,
    days: passwordLinkHours / 24,
    url: await makePasswordLink(tx, services, to.id),
  };
  await queueEmail(tx, services, written(to.hasPassword ? "passwordLink" : "accessLink", link), {
    to,
    now,
    goodUntil: new Date(now.getTime() + passwordLinkHours * hourMs),
  });
}

async function requireFewEmails(tx: Tx, now: Date): Promise<void> {
  await lockCompany(tx);
  // Counted in the audit trail, because the e-mails and links themselves are deleted.
  const actions = ["user.created", "user.password_link_sent"];
  const sent = await countEntries(tx, { actions, since: new Date(now.getTime() - hourMs) });
  if (sent >= passwordEmailsPerHourMax)
    throw new AppError("password_letters_too_many", { max: passwordEmailsPerHourMax });
}

/** E-mails a user who signs in with this address at another company. */
export async function emailAddressTaken(
  tx: Tx,
  services: Services,
  { to, from, now }: PasswordEmail,
): Promise<void> {
  await requireFewEmails(tx, now);
  const { name: company, brand } = await readCompany(tx);
  const invited = { by: from.name, product: mailBrands[brand].name, company };
  await queueEmail(tx, services, written("addressTaken", invited), { to, now });
}
