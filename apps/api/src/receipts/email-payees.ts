/**
 * The job `email-payees`: writes to those who gave an e-mail address that their money has arrived for good, with the receipt, where the
 * company wants it. A payment has one such e-mail, whatever happens to it later.
 */
import { cents, formatBrl } from "@malote/domain/money";
import { sql } from "kysely";
import { readCompany } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";

interface Payee {
  id: string;
  name: string;
  email: string;
  value: number;
  paymentMethod: string;
  description: string | null;
}

/** E-mails of one transaction: each is an insert and a job. */
const atOnce = 50;

const methodNames: Readonly<Record<string, string>> = {
  PIX: "Pix",
  TED: "TED",
  TEV: "Transferência interna",
};

export async function emailPayees(
  parts: Parts,
  { companyId, paymentIds }: { companyId: string; paymentIds: readonly string[] },
): Promise<void> {
  for (;;) {
    const written = await parts.db.withCompany(companyId, async (tx) => {
      const company = await readCompany(tx);
      if (!company.settings.emailsPayees) return 0;
      const payees = await payeesToWriteTo(tx, paymentIds);
      for (const payee of payees) {
        await queueMail(tx, parts.jobs, {
          to: payee.email,
          subject: `${company.name} pagou ${formatBrl(cents(payee.value))} para você`,
          content: {
            greeting: `Olá, ${payee.name}!`,
            paragraphs: [
              `${company.name} fez um pagamento para você. O comprovante está anexado a este e-mail.`,
            ],
            facts: [
              { label: "Valor", value: formatBrl(cents(payee.value)) },
              { label: "Forma", value: methodNames[payee.paymentMethod] ?? payee.paymentMethod },
              ...(payee.description ? [{ label: "Descrição", value: payee.description }] : []),
            ],
          },
          now: parts.clock.now(),
          receiptOf: payee.id,
        });
      }
      return payees.length;
    });
    if (written < atOnce) return;
  }
}

async function payeesToWriteTo(tx: Tx, paymentIds: readonly string[]): Promise<Payee[]> {
  const { rows } = await sql<Payee>`
    SELECT t.id, t.name, t.email, t.value, t.payment_method AS "paymentMethod", t.pix_description AS description
    FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
    WHERE t.company_id = ${tx.companyId} AND t.id = ANY(${[...paymentIds]}::uuid[]) AND t.status = 'FINISHED'
      AND t.email IS NOT NULL AND t.name IS NOT NULL AND b.type = 'TRANSFER'
      AND NOT EXISTS (SELECT FROM mails m WHERE m.company_id = t.company_id AND m.receipt_of = t.id)
    ORDER BY t.id LIMIT ${atOnce}
  `.execute(tx);
  return rows;
}
