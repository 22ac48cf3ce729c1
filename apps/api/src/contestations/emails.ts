/** What Malote writes to people about infractions. */
import { formatDate, saoPauloDate } from "@malote/domain/calendar";
import { situationNames } from "@malote/domain/infraction";
import { cents, formatBrl } from "@malote/domain/money";
import { firstName, type Person, paymentAdmins } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";
import { dateTime } from "./names.ts";
import type { NewInfraction } from "./store.ts";

type Needs = Pick<Parts, "clock" | "config" | "jobs">;

/** Four days are short: whoever decides about money hears of it at once. */
export async function emailOfInfraction(tx: Tx, parts: Needs, infraction: NewInfraction): Promise<void> {
  const value = formatBrl(cents(infraction.amount));
  for (const person of await paymentAdmins(tx)) {
    await queueMail(tx, parts.jobs, {
      to: person.email,
      subject: `Responda até ${dateTime(infraction.analysis_due_at)}: contestação de um Pix de ${value}`,
      letter: {
        greeting: `Olá, ${firstName(person.name)}!`,
        paragraphs: [
          "Quem pagou diz que este Pix foi fraude. Sua empresa tem até o prazo para aprovar a devolução ou defender a venda. Sem resposta, o valor volta automaticamente ao pagador.",
        ],
        facts: [
          { label: "Valor", value },
          { label: "Pagador", value: infraction.payer_name },
          { label: "Tipo", value: situationNames[infraction.situation_type] },
          { label: "Prazo", value: dateTime(infraction.analysis_due_at) },
        ],
        button: {
          label: "Ver a infração",
          url: `${parts.config.publicUrl}/contestacoes/infracoes/${infraction.id}`,
        },
      },
      now: parts.clock.now(),
    });
  }
}

const exportLink = (parts: Needs, id: string) =>
  `${parts.config.publicUrl}/contestacoes/infracoes?exportacao=${id}`;

/** The link opens only for somebody of the company who is signed in: a letter may be read by others. */
export async function emailExportReady(
  tx: Tx,
  parts: Needs,
  person: Person,
  { id, expires_at }: { id: string; expires_at: Date },
): Promise<void> {
  await queueMail(tx, parts.jobs, {
    to: person.email,
    subject: "A lista de infrações está pronta",
    letter: {
      greeting: `Olá, ${firstName(person.name)}!`,
      paragraphs: ["A lista de infrações que você pediu está pronta: uma planilha CSV."],
      facts: [{ label: "Disponível até", value: formatDate(saoPauloDate(expires_at)) }],
      button: { label: "Baixar a lista", url: exportLink(parts, id) },
    },
    now: parts.clock.now(),
  });
}

export async function emailExportFailed(tx: Tx, parts: Needs, person: Person): Promise<void> {
  await queueMail(tx, parts.jobs, {
    to: person.email,
    subject: "Não foi possível preparar a lista de infrações",
    letter: {
      greeting: `Olá, ${firstName(person.name)}!`,
      paragraphs: ["Não foi possível preparar a lista de infrações que você pediu. Peça de novo."],
      button: { label: "Pedir de novo", url: `${parts.config.publicUrl}/contestacoes/infracoes` },
    },
    now: parts.clock.now(),
  });
}
