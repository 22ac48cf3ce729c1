/** What Malote writes to people about their Pix keys. */
import { type ClaimKind, claimDeadline, withoutCountry } from "@malote/domain/own-pix-key";
import { formatPixKey } from "@malote/domain/pix-key";
import { firstName, paymentAdmins } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { EmailText } from "../platform/mail/email-text.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";
import type { PixKeyRow } from "./store.ts";

const day = new Intl.DateTimeFormat("pt-BR", {
  timeZone: "America/Sao_Paulo",
  dateStyle: "short",
  timeStyle: "short",
});
const keyText = ({ key_type, key }: PixKeyRow) => formatPixKey(key_type, withoutCountry(key ?? ""));

/** The banner informs whoever signs in; seven days may pass without anybody doing so. */
export async function emailOfClaim(tx: Tx, parts: Parts, row: PixKeyRow, kind: ClaimKind): Promise<void> {
  const isClaim = kind === "CLAIM";
  await emailAdmins(tx, parts, `Pediram a chave Pix ${keyText(row)} da sua empresa`, {
    paragraphs: [
      isClaim
        ? "Outra pessoa diz que esta chave é dela e pediu o registro. Confira e responda: sem resposta até o prazo, a chave sai da sua empresa."
        : "Outra instituição pediu para levar esta chave para lá, em nome da sua empresa. Confira e responda: sem resposta até o prazo, a chave continua aqui.",
    ],
    facts: [
      { label: "Chave Pix", value: keyText(row) },
      { label: "Pedido", value: isClaim ? "Reivindicação" : "Portabilidade" },
      { label: "Responder até", value: day.format(claimDeadline(row.updated_at)) },
    ],
    button: {
      label: "Responder ao pedido",
      url: `${parts.config.publicUrl}/pagamentos/configuracoes/dados-bancarios?chave=${row.id}`,
    },
  });
}

export async function emailOfLostKey(tx: Tx, parts: Parts, row: PixKeyRow): Promise<void> {
  await emailAdmins(tx, parts, `A chave Pix ${keyText(row)} saiu da sua empresa`, {
    paragraphs: [
      "Ninguém respondeu ao pedido de reivindicação em 7 dias, e pela regra do Pix a chave passou a quem a pediu. Avise quem paga a sua empresa por esta chave.",
    ],
    facts: [{ label: "Chave Pix", value: keyText(row) }],
  });
}

/** Whoever gives a key up, all admins read of it: it is how payers reach the company. */
export async function emailOfGivenUp(
  tx: Tx,
  parts: Parts,
  row: PixKeyRow,
  by: { name: string },
  how: "delete" | "release",
): Promise<void> {
  const isDeleted = how === "delete";
  await emailAdmins(tx, parts, `A chave Pix ${keyText(row)} vai sair da sua empresa`, {
    paragraphs: [
      `${by.name} ${isDeleted ? "excluiu esta chave" : "liberou esta chave para quem a pediu"}. Quem paga a sua empresa por ela precisa de outra.`,
      "Se ninguém da empresa pediu isso, troque as senhas e fale com o suporte.",
    ],
    facts: [{ label: "Chave Pix", value: keyText(row) }],
  });
}

async function emailAdmins(
  tx: Tx,
  { jobs, clock }: Parts,
  subject: string,
  content: Omit<EmailText, "greeting">,
): Promise<void> {
  for (const person of await paymentAdmins(tx)) {
    const greeting = `Olá, ${firstName(person.name)}!`;
    await queueMail(tx, jobs, {
      to: person.email,
      subject,
      content: { greeting, ...content },
      now: clock.now(),
    });
  }
}
