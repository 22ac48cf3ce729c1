/** What Malote writes to people about their batches. */
import { cents, formatBrl } from "@malote/domain/money";
import { sql } from "kysely";
import { findPerson, firstName, type Person } from "../../company/index.ts";
import { approversBeside, approversOf, withEmail } from "../../controls/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { StoredEvent } from "../../platform/events/subscriber.ts";
import { queueMail } from "../../platform/mail/send-mail.ts";
import type { Parts } from "../../platform/parts.ts";
import { type BatchRow, failedPaymentsOf, isBatch, takeFailureNotices } from "./store.ts";

type Then = { name: string; payments: number; amount: number };

const facts = ({ name, payments, amount }: Then) => [
  { label: "Lote", value: name },
  { label: "Pagamentos", value: String(payments) },
  { label: "Valor total", value: formatBrl(cents(amount)) },
];

const linkTo = (parts: Pick<Parts, "config">, batchId: string) =>
  `${parts.config.publicUrl}/pagamentos/lotes?lote=${batchId}`;

type BatchNotice = StoredEvent<"batch.approval_requested" | "batch.rejected" | "batch.sent_back">;

/** The subscriber. */
export async function emailAbout(tx: Tx, events: readonly BatchNotice[], parts: Parts): Promise<void> {
  for (const event of events) {
    if (event.type === "batch.approval_requested") await askForApproval(tx, parts, event);
    else if (event.type === "batch.rejected") await emailCreatorOfRejection(tx, parts, event);
    else await emailSentBack(tx, parts, event);
  }
}

/** To every admin and to the operators whom the company names, but for whoever sent it. */
async function askForApproval(
  tx: Tx,
  parts: Parts,
  { objectId, payload: { by, checks, ...batch } }: StoredEvent<"batch.approval_requested">,
): Promise<void> {
  const now = parts.clock.now();
  const sender = withEmail(by.name, (await findPerson(tx, by.id))?.email ?? null);
  for (const person of await approversBeside(tx, by.id, now)) {
    await queueMail(tx, parts.jobs, {
      to: person.email,
      subject: `O lote ${batch.name} aguarda sua aprovação`,
      content: {
        greeting: `Olá, ${firstName(person.name)}!`,
        paragraphs: [`${sender} enviou um lote de pagamentos para aprovação.`],
        facts: [
          ...facts(batch),
          ...(checks.length > 0 ? [{ label: "Para conferir", value: checks.join(" · ") }] : []),
        ],
        button: { label: "Ver o lote", url: linkTo(parts, objectId) },
      },
      now,
    });
  }
}

async function emailCreatorOfRejection(
  tx: Tx,
  parts: Parts,
  { objectId, payload: { by, reason, createdBy, ...batch } }: StoredEvent<"batch.rejected">,
): Promise<void> {
  const person = await findPerson(tx, createdBy);
  // Made by the company's own system: there is nobody to write to.
  if (!person) return;
  await queueMail(tx, parts.jobs, {
    to: person.email,
    subject: `O lote ${batch.name} foi reprovado`,
    content: {
      greeting: `Olá, ${firstName(person.name)}!`,
      paragraphs: [
        `${by.name} reprovou o lote. Ele voltou a ser um rascunho: corrija o que for preciso e envie de novo para aprovação.`,
      ],
      facts: [...facts(batch), ...(reason ? [{ label: "Motivo", value: reason }] : [])],
      button: { label: "Abrir o rascunho", url: linkTo(parts, objectId) },
    },
    now: parts.clock.now(),
  });
}

/** Who made the batch, who sent it on its way and who approved it. */
export async function idsOfMakers(
  tx: Tx,
  batch: Pick<BatchRow, "id" | "created_by" | "closed_by">,
): Promise<string[]> {
  const ids = [batch.created_by, batch.closed_by, ...(await approversOf(tx, batch.id))];
  return [...new Set(ids)].filter((id) => id !== null);
}

/** As far as they are people who are still here. */
async function peopleOf(tx: Tx, ids: readonly string[]): Promise<Person[]> {
  const found = await Promise.all(ids.map((id) => findPerson(tx, id)));
  return found.filter((person) => person !== undefined);
}

/** A batch that waited for money came back by itself: nobody looks at it unless they are written to. */
async function emailSentBack(
  tx: Tx,
  parts: Parts,
  { objectId, payload: { reason, people, ...batch } }: StoredEvent<"batch.sent_back">,
): Promise<void> {
  for (const person of await peopleOf(tx, people)) {
    await queueMail(tx, parts.jobs, {
      to: person.email,
      subject: `O lote ${batch.name} voltou a ser rascunho`,
      content: {
        greeting: `Olá, ${firstName(person.name)}!`,
        paragraphs: ["O lote não foi pago e nenhum valor saiu da conta.", reason],
        facts: facts(batch),
        button: { label: "Abrir o rascunho", url: linkTo(parts, objectId) },
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
  for (const person of await peopleOf(tx, await idsOfMakers(tx, batch))) {
    await queueMail(tx, parts.jobs, {
      to: person.email,
      subject: `${what} no lote ${batch.name}`,
      content: {
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
        button: { label: "Ver as falhas", url: linkTo(parts, batch.id) },
      },
      now: parts.clock.now(),
    });
  }
}
