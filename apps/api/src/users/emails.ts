/** What Malote writes to somebody who may choose a password. */
import { passwordLinkHours } from "@malote/contracts/session";
import { passwordEmailsPerHourMax } from "@malote/domain/limits";
import { lockAdding, readCompany } from "../company/index.ts";
import { firstName } from "../emails/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { mailBrands } from "../platform/mail/email-text.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";
import { makePasswordLink } from "../session/index.ts";
import { countPasswordEmails } from "./store.ts";

export interface PasswordEmail {
  to: { id: string; name: string; email: string; hasPassword: boolean };
  from: { name: string };
  now: Date;
}

const hourMs = 3_600_000;

/** With a link of its own each time, made in the same transaction. Bounded, since the address may be anybody's. */
export async function emailPasswordLink(tx: Tx, parts: Parts, { to, from, now }: PasswordEmail) {
  await expectFewEmails(tx, now);
  const { name: companyName, brand } = await readCompany(tx);
  const url = await makePasswordLink(tx, parts, to.id);
  const product = mailBrands[brand].name;
  const days = passwordLinkHours / 24;
  const words = to.hasPassword
    ? {
        subject: "Crie uma nova senha",
        opening: `${from.name} pediu um link para você criar uma nova senha no ${product}. Até lá, a senha atual continua valendo.`,
        label: "Criar nova senha",
      }
    : {
        subject: `Seu acesso à conta da ${companyName}`,
        opening: `${from.name} criou um acesso para você no ${product}. Para entrar, crie sua senha.`,
        label: "Criar senha",
      };
  await queueMail(tx, parts.jobs, {
    to: to.email,
    subject: words.subject,
    content: {
      greeting: `Olá, ${firstName(to.name)}!`,
      paragraphs: [
        words.opening,
        `O link vale uma única vez e por ${days} dias. Não o encaminhe: quem o tiver pode entrar no seu lugar.`,
      ],
      facts: [
        { label: "Empresa", value: companyName },
        { label: "E-mail para entrar", value: to.email },
      ],
      button: { label: words.label, url },
    },
    now,
    goodUntil: new Date(now.getTime() + passwordLinkHours * hourMs),
  });
}

async function expectFewEmails(tx: Tx, now: Date): Promise<void> {
  await lockAdding(tx);
  if ((await countPasswordEmails(tx, now)) >= passwordEmailsPerHourMax)
    throw new AppError("password_letters_too_many", { max: passwordEmailsPerHourMax });
}

/** To somebody who signs in by this e-mail elsewhere. Nothing of theirs is said to the company, and nothing changes for them. */
export async function emailAddressTaken(tx: Tx, parts: Parts, { to, from, now }: PasswordEmail) {
  await expectFewEmails(tx, now);
  const { name: companyName, brand } = await readCompany(tx);
  await queueMail(tx, parts.jobs, {
    to: to.email,
    subject: `Convite para a conta da ${companyName}`,
    content: {
      greeting: "Olá!",
      paragraphs: [
        `${from.name} quis criar um acesso para você no ${mailBrands[brand].name}, mas este e-mail já entra em outra conta, e um e-mail entra em uma só.`,
        "Se você esperava o convite, peça que ele seja feito com outro e-mail. Se não esperava, ignore esta mensagem: nada mudou no seu acesso.",
      ],
      facts: [{ label: "Empresa", value: companyName }],
    },
    now,
  });
}
