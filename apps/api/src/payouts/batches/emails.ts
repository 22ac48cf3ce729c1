/** What Malote writes to people about their batches. */
import { cents, formatBrl } from "@malote/domain/money";
import { sql } from "kysely";
import { findPerson, firstName, type Person } from "../../company/index.ts";
import { approversBeside, approversOf, withEmail } from "../../controls/index.ts";
import type { Actor } from "../../platform/auth/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import { queueMail } from "../../platform/mail/send-mail.ts";
import type { Parts } from "../../platform/parts.ts";
import { type BatchRow, failedPaymentsOf, isBatch, takeFailureNotices } from "./store.ts";

function facts(batch: BatchRow) {
  return [
    { label: "Lote", value: batch.name },
    { label: "Pagamentos", value: String(batch.payments_count) },
    { label: "Valor total", value: formatBrl(cents(batch.value)) },
  ];
}

const linkTo = (parts: Pick<Parts, "config">, batch: BatchRow) =>
  `${parts.config.publicUrl}/pagamentos/lotes?lote=${batch.id}`;

/** To every admin and to the operators whom the company names, but for whoever sent it. */
export async function askForApproval(
  tx: Tx,
  parts: Parts,
  batch: BatchRow,
  actor: Actor,
  checks: readonly string[],
): Promise<void> {
  const now = parts.clock.now();
  const sender = withEmail(actor.name, (await findPerson(tx, actor.id))?.email ?? null);
  for (const person of await approversBeside(tx, actor.id, now)) {
    await queueMail(tx, parts.jobs, {
      to: person.email,
      subject: `O lote ${batch.name} aguarda sua aprovação`,
      letter: {
        greeting: `Olá, ${firstName(person.name)}!`,
        paragraphs: [`${sender} enviou um lote de pagamentos para aprovação.`],
        facts: [
          ...facts(batch),
          ...(checks.length > 0 ? [{ label: "Para conferir", value: checks.join(" · ") }] : []),
        ],
        button: { label: "Ver o lote", url: linkTo(parts, batch) },
      },
      now,
    });
  }
}

export async function emailCreatorOfRejection(
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

/** Who made the batch, who sent it on its way and who approved it, as far as they are people who are still here. */
async function makersOf(tx: Tx, batch: BatchRow): Promise<Person[]> {
  const ids = [...new Set([batch.created_by, batch.closed_by, ...(await approversOf(tx, batch.id))])];
  const found = await Promise.all(ids.map((id) => findPerson(tx, id)));
  return found.filter((person) => person !== undefined);
}

/** A batch that waited for money came back by itself: nobody looks at it unless they are written to. */
export async function emailSentBack(
  tx: Tx,
  parts: Pick<Parts, "clock" | "config" | "jobs">,
  batch: BatchRow,
  reason: string,
): Promise<void> {
  for (const person of await makersOf(tx, batch)) {
    await queueMail(tx, parts.jobs, {
      to: person.email,
      subject: `O lote ${batch.name} voltou a ser rascunho`,
      letter: {
        greeting: `Olá, ${firstName(person.name)}!`,
        paragraphs: ["O lote não foi pago e nenhum valor saiu da conta.", reason],
        facts: facts(batch),
        button: { label: "Abrir o rascunho", url: linkTo(parts, batch) },
      },
      now: parts.clock.now(),
    });
  }
}

/** Named in the e-mail; the batch shows the others. */
const failuresNamed = 10;

/** Clock-driven: writes to the makers of batches whose payments failed since they were last written to. */
export async function emailFailures(parts: Parts): Promise<void> {
  const now = parts.clock.now();
  const due = await parts.db.withSystem((tx) =>
    sql<{ company_id: string }>`
      SELECT DISTINCT company_id FROM batches WHERE failure_notice_at <= ${now}
    `.execute(tx),
  );
  for (const { company_id: companyId } of due.rows) {
    await parts.db.withCompany(companyId, async (tx) => {
      for (const batch of await takeFailureNotices(tx, now)) {
        // All were corrected or given back meanwhile.
        if (!isBatch(batch) || batch.failed_count === 0) continue;
        await emailFailuresOf(tx, parts, batch);
      }
    });
  }
}

async function emailFailuresOf(tx: Tx, parts: Parts, batch: BatchRow): Promise<void> {
  const failed = await failedPaymentsOf(tx, batch.id, failuresNamed);
  const others = batch.failed_count - failed.length;
  const what = batch.failed_count === 1 ? "1 pagamento falhou" : `${batch.failed_count} pagamentos falharam`;
  for (const person of await makersOf(tx, batch)) {
    await queueMail(tx, parts.jobs, {
      to: person.email,
      subject: `${what} no lote ${batch.name}`,
      letter: {
        greeting: `Olá, ${firstName(person.name)}!`,
        paragraphs: [
          `${what}. O valor continua separado no lote até que alguém corrija e tente de novo, ou devolva ao saldo.`,
        ],
        facts: [
          { label: "Lote", value: batch.name },
          ...failed.map(({ name, value, reason }) => ({
            label: name ?? "Sem nome",
            value: [formatBrl(cents(value)), reason].filter(Boolean).join(" · "),
          })),
          ...(others > 0 ? [{ label: "Outros", value: `mais ${others} no lote` }] : []),
        ],
        button: { label: "Ver as falhas", url: linkTo(parts, batch) },
      },
      now: parts.clock.now(),
    });
  }
}
