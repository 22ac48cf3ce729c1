/** What Malote writes to people about infractions. */
import { situationNames } from "@malote/domain/infraction";
import { cents, formatBrl } from "@malote/domain/money";
import { firstName, paymentAdmins } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";
import { dateTime } from "./names.ts";
import type { NewInfraction } from "./store.ts";

type Needs = Pick<Parts, "clock" | "config" | "jobs">;

/** Four days are short: whoever decides about money learns of it at once. */
export async function emailOfInfraction(tx: Tx, parts: Needs, infraction: NewInfraction): Promise<void> {
  const value = formatBrl(cents(infraction.amount));
  for (const person of await paymentAdmins(tx)) {
    await queueMail(tx, parts.jobs, {
      to: person.email,
      subject: `Responda até ${dateTime(infraction.analysis_due_at)}: contestação de um Pix de ${value}`,
      content: {
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
