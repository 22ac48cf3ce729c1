/** What Malote writes to people about their batches. */
import { cents, formatBrl } from "@malote/domain/money";
import { findPerson, firstName, paymentAdmins } from "../company/index.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";
import type { BatchRow } from "./store.ts";

function facts(batch: BatchRow) {
  return [
    { label: "Lote", value: batch.name },
    { label: "Pagamentos", value: String(batch.payments_count) },
    { label: "Valor total", value: formatBrl(cents(batch.value)) },
  ];
}

const linkTo = (parts: Parts, batch: BatchRow) =>
  `${parts.config.publicUrl}/pagamentos/lotes?lote=${batch.id}`;

export async function tellAdminsOfApproval(
  tx: Tx,
  parts: Parts,
  batch: BatchRow,
  actor: Actor,
): Promise<void> {
  for (const person of await paymentAdmins(tx, actor.id)) {
    await queueMail(tx, parts.jobs, {
      to: person.email,
      subject: `O lote ${batch.name} aguarda sua aprovação`,
      letter: {
        greeting: `Olá, ${firstName(person.name)}!`,
        paragraphs: [`${actor.name} enviou um lote de pagamentos para aprovação.`],
        facts: facts(batch),
        button: { label: "Ver o lote", url: linkTo(parts, batch) },
      },
      now: parts.clock.now(),
    });
  }
}

export async function tellCreatorOfReproval(
  tx: Tx,
  parts: Parts,
  batch: BatchRow,
  actor: Actor,
  reason: string | null,
): Promise<void> {
  const person = await findPerson(tx, batch.created_by);
  // Made by the company's own system: there is nobody to write to.
  if (!person) return;
  await queueMail(tx, parts.jobs, {
    to: person.email,
    subject: `O lote ${batch.name} foi reprovado`,
    letter: {
      greeting: `Olá, ${firstName(person.name)}!`,
      paragraphs: [
        `${actor.name} reprovou o lote. Ele voltou a ser um rascunho: corrija o que for preciso e envie de novo para aprovação.`,
      ],
      facts: [...facts(batch), ...(reason ? [{ label: "Motivo", value: reason }] : [])],
      button: { label: "Abrir o rascunho", url: linkTo(parts, batch) },
    },
    now: parts.clock.now(),
  });
}
