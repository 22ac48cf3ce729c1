/** Simulates the operator's billing system: it issues the documents of invoices and reports their payment. */
import type { ResponseOf } from "@malote/contracts/contract";
import type {
  announceInvoice,
  listSimulatedInvoices,
  readInvoiceDocument,
} from "@malote/contracts/simulator";
import { type CalendarDate, formatDate } from "@malote/domain/calendar";
import { cents, formatBrl } from "@malote/domain/money";
import {
  type InvoiceOfCompany,
  listInvoicesOfAllCompanies,
  recordInvoiceReport,
  statusAt,
} from "../../../billing/index.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { DatabaseWithSandbox } from "../../../platform/db/database.ts";
import type { Call } from "../../../platform/http/serve.ts";

interface InvoiceServices {
  db: DatabaseWithSandbox;
  clock: Clock;
}

/**
 * Returns the addresses of the documents. They are relative, so that they open under any host name of the installation.
 */
export const documentsOf = (invoiceId: string) => ({
  electronicInvoiceUrl: `/api/simulator/invoices/${invoiceId}/nota-fiscal`,
  ticketUrl: `/api/simulator/invoices/${invoiceId}/boleto`,
});

export async function list({
  db,
  clock,
}: InvoiceServices): Promise<ResponseOf<typeof listSimulatedInvoices>> {
  const now = clock.now();
  const rows = await db.withSystem((tx) => listInvoicesOfAllCompanies(tx));
  return {
    data: rows.map((row) => ({
      id: row.id,
      company: { id: row.company_id, name: row.company_name },
      billing_period_start: row.billing_period_start,
      amount_of_transfers: row.amount_of_transfers,
      total: row.total,
      status: statusAt(row, now),
      due_date: row.due_date,
      is_issued: row.ticket_url !== null,
    })),
  };
}

async function getInvoice({ db }: InvoiceServices, id: string): Promise<InvoiceOfCompany> {
  const [invoice] = await db.withSystem((tx) => listInvoicesOfAllCompanies(tx, id));
  if (!invoice) throw new AppError("not_found");
  return invoice;
}

export async function announce(
  services: InvoiceServices,
  { params, body, requestId }: Call<typeof announceInvoice>,
) {
  const { id, company_id: companyId } = await getInvoice(services, params.id);
  const report = body.kind === "issued" ? { kind: body.kind, ...documentsOf(id) } : { kind: body.kind };
  const acting = { actor: "system", now: services.clock.now(), requestId } as const;
  await services.db.withCompany(companyId, (tx) => recordInvoiceReport(tx, id, report, acting));
  return { ok: true as const };
}

const titles = { "nota-fiscal": "Nota fiscal de teste", boleto: "Boleto de teste" } as const;

export async function sendDocument(
  services: InvoiceServices,
  { params, reply }: Call<typeof readInvoiceDocument>,
) {
  const invoice = await getInvoice(services, params.id);
  const month = invoice.billing_period_start;
  const lines = [
    titles[params.document],
    "Sem valor: existe só no ambiente de testes. Nada é cobrado de verdade.",
    "",
    `Empresa:      ${invoice.company_name}`,
    `Competência:  ${month.slice(5, 7)}/${month.slice(0, 4)}`,
    `Pagamentos:   ${invoice.amount_of_transfers}`,
    `Valor:        ${formatBrl(cents(invoice.total))}`,
    `Vencimento:   ${formatDate(invoice.due_date as CalendarDate)}`,
    `Número:       ${invoice.id}`,
  ];
  return reply.type("text/plain; charset=utf-8").send(`${lines.join("\n")}\n`);
}
