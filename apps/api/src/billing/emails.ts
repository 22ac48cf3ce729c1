/** What Malote writes to people about their invoices. */
import { cents, formatBrl } from "@malote/domain/money";
import type { Person } from "../company/index.ts";
import { firstName } from "../emails/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { queueMail } from "../platform/mail/send-mail.ts";
import type { Parts } from "../platform/parts.ts";
import type { InvoiceRow } from "./store.ts";

const number = new Intl.NumberFormat("pt-BR");
const competence = (month: string) => `${month.slice(5, 7)}/${month.slice(0, 4)}`;

/** The link opens only for an admin of the company who is signed in: an e-mail may be read by others. */
export async function emailReportReady(
  tx: Tx,
  parts: Parts,
  person: Person,
  invoice: InvoiceRow,
): Promise<void> {
  const month = competence(invoice.billing_period_start);
  await queueMail(tx, parts.jobs, {
    to: person.email,
    subject: `O relatório de ${month} está pronto`,
    content: {
      greeting: `Olá, ${firstName(person.name)}!`,
      paragraphs: ["O relatório que você pediu está pronto: uma planilha com cada pagamento desta fatura."],
      facts: [
        { label: "Competência", value: month },
        { label: "Pagamentos", value: number.format(invoice.amount_of_transfers) },
        { label: "Valor da fatura", value: formatBrl(cents(invoice.total)) },
      ],
      button: {
        label: "Baixar o relatório",
        url: `${parts.config.publicUrl}/minha-empresa/faturas?relatorio=${invoice.billing_period_start}`,
      },
    },
    now: parts.clock.now(),
  });
}
