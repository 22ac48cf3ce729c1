/** What Malote writes to people about money that came in. */
import { cents, formatBrl } from "@malote/domain/money";
import { firstName, paymentAdmins } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";

/** The subscriber. Two people paid the same, or one paid twice: nobody looks for that, so the company learns of it. */
export async function emailOfDoublePayments(
  tx: Tx,
  events: readonly StoredEvent<"payin.doubled">[],
  parts: Pick<Parts, "clock" | "config" | "jobs">,
): Promise<void> {
  const people = await paymentAdmins(tx);
  for (const event of events) for (const person of people) await emailOf(tx, parts, event, person);
}

async function emailOf(
  tx: Tx,
  parts: Pick<Parts, "clock" | "config" | "jobs">,
  { objectId, payload: { canGoBack, payer, charge, ...payin } }: StoredEvent<"payin.doubled">,
  person: { name: string; email: string },
): Promise<void> {
  const amount = formatBrl(cents(payin.amount));
  await queueMail(tx, parts.jobs, {
    to: person.email,
    subject: `Pagamento em dobro de ${amount}`,
    content: {
      greeting: `Olá, ${firstName(person.name)}!`,
      paragraphs: [
        "Chegou mais um pagamento de uma cobrança que já estava paga. Os dois valores são da sua empresa até que um deles seja devolvido.",
        canGoBack
          ? "Abra o recebimento para devolver o valor a quem pagou."
          : "Um boleto não tem devolução automática: combine com quem pagou e envie o valor por transferência.",
      ],
      facts: [
        { label: "Valor", value: amount },
        ...(payer ? [{ label: "Pagador", value: payer }] : []),
        ...(charge ? [{ label: "Cobrança", value: charge }] : []),
      ],
      button: {
        label: "Ver o recebimento",
        url: `${parts.config.publicUrl}/recebimentos/recebiveis?recebimento=${objectId}`,
      },
    },
    now: parts.clock.now(),
  });
}
