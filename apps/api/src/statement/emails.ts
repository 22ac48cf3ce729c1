/** What Malote writes to people about their balance. */
import { cents, formatBrl } from "@malote/domain/money";
import { firstName, paymentAdmins } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";

/** A withdrawal that the network refused or the other bank sent back: nobody waits for it on a screen. */
export async function emailOfReturnedWithdrawal(
  tx: Tx,
  parts: Pick<Parts, "clock" | "config" | "jobs">,
  { value, reason }: { value: number; reason: string | null },
): Promise<void> {
  const amount = formatBrl(cents(value));
  for (const person of await paymentAdmins(tx)) {
    await queueMail(tx, parts.jobs, {
      to: person.email,
      subject: `O resgate de ${amount} voltou para o saldo`,
      content: {
        greeting: `Olá, ${firstName(person.name)}!`,
        paragraphs: [
          "O resgate não chegou à conta da empresa, e o valor já está de novo no saldo. Confira a conta para saque antes de resgatar outra vez.",
        ],
        facts: [{ label: "Valor", value: amount }, ...(reason ? [{ label: "Motivo", value: reason }] : [])],
        button: { label: "Ver o extrato", url: `${parts.config.publicUrl}/pagamentos/saldo` },
      },
      now: parts.clock.now(),
    });
  }
}
