/** Invoices of the installation's operator for a company's payments (COM-026 to COM-033). */
import { invoiceStatuses } from "@malote/domain/invoice";
import * as z from "zod";
import { contract } from "./contract.ts";
import { adminOnly, applications } from "./policy.ts";
import { date, done, id, positiveCentavos } from "./wire.ts";

/**
 * Admits an admin of either application (COM-002, COM-003). Invoices are hidden where the company's finance info is
 * (COM-004).
 */
const policy = { ...adminOnly, applications } as const;

export const invoice = z.object({
  id,
  /** The first day of the billed month. */
  billing_period_start: date,
  amount_of_transfers: z.int().positive(),
  total: positiveCentavos,
  status: z.enum(invoiceStatuses),
  due_date: date,
  /** The addresses of the operator's fiscal document and its boleto; null until they are issued. */
  electronic_invoice_url: z.string().nullable(),
  ticket_url: z.string().nullable(),
  /** False for an imported invoice, which has no report because its payments are unknown (COM-032). */
  has_report: z.boolean(),
});
export type Invoice = z.infer<typeof invoice>;

export const listInvoices = contract({
  id: "listInvoices",
  base: "payments",
  method: "GET",
  path: "/financial/billingHistory",
  summary: "Faturas da empresa, da mais nova à mais antiga",
  policy,
  response: z.object({ data: z.array(invoice) }),
});

export const readHasPayRequest = contract({
  id: "readHasPayRequest",
  base: "payments",
  method: "GET",
  path: "/financial/hasPayRequest",
  summary: "Dizer se há fatura fechada por pagar",
  policy,
  response: z.object({ data: z.boolean() }),
});

export const readPayRequest = contract({
  id: "readPayRequest",
  base: "payments",
  method: "GET",
  path: "/financial/payRequest",
  summary: "A fatura por pagar que vence primeiro",
  policy,
  response: z.object({ data: invoice.nullable() }),
});

export const readHasOverdue = contract({
  id: "readHasOverdue",
  base: "payments",
  method: "GET",
  path: "/financial/hasOverdue",
  summary: "Dizer se há fatura em atraso",
  policy,
  response: z.object({ data: z.boolean() }),
});

const period = z.object({ date: date.refine((day) => day.endsWith("-01")) });

export const requestMonthlyReport = contract({
  id: "requestMonthlyReport",
  base: "payments",
  method: "GET",
  path: "/financial/report/monthly",
  summary: "Pedir o relatório dos pagamentos de uma fatura, pelo primeiro dia do mês; o link vai por e-mail",
  // A machine credential has no e-mail address for the link; it reads the file instead.
  policy: { ...adminOnly, machine: false },
  query: period,
  response: done,
});

export const downloadMonthlyReport = contract({
  id: "downloadMonthlyReport",
  base: "payments",
  method: "GET",
  path: "/financial/report/monthly/file",
  summary: "Baixar o relatório dos pagamentos de uma fatura (CSV)",
  // Lists every payment of a month, so it needs access to the payments application.
  policy: adminOnly,
  query: period,
  transport: "file",
  response: z.any(),
});
