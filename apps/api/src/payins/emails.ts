/** What Malote writes to people about money that came in. */
import { formatBrl } from "@malote/domain/money";
import { isPixPayin } from "@malote/domain/payin";
import { firstName, paymentAdmins } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";
import type { PayinRow } from "./store.ts";

/** Two people paid the same, or one paid twice. Nobody looks for that, so the company hears of it. */
export async function emailOfDoublePayment(
  tx: Tx,
  parts: Pick<Parts, "clock" | "config" | "jobs">,
  payin: Pick<PayinRow, "id" | "amount" | "payment_type" | "payer_name" | "details">,
): Promise<void> {
  const amount = formatBrl(payin.amount);
  const canGoBack = isPixPayin(payin.payment_type) || payin.payment_type === "credit_card";
  for (const person of await paymentAdmins(tx)) {
    await queueMail(tx, parts.jobs, {
      to: person.email,
      subject: `Pagamento em dobro de ${amount}`,
      letter: {
        greeting: `Olá, ${firstName(person.name)}!`,
        paragraphs: [
          "Chegou mais um pagamento de uma cobrança que já estava paga. Os dois valores são da sua empresa até que um deles seja devolvido.",
          canGoBack
            ? "Abra o recebimento para devolver o valor a quem pagou."
            : "Um boleto não tem devolução automática: combine com quem pagou e envie o valor por transferência.",
        ],
        facts: [
          { label: "Valor", value: amount },
          ...(payin.payer_name ? [{ label: "Pagador", value: payin.payer_name }] : []),
          ...(payin.details.description ? [{ label: "Cobrança", value: payin.details.description }] : []),
        ],
        button: {
          label: "Ver o recebimento",
          url: `${parts.config.publicUrl}/recebimentos/recebiveis?recebimento=${payin.id}`,
        },
      },
      now: parts.clock.now(),
    });
  }
}
