/** What the installation's operator charges a company for its payments (COM-026 to COM-033). */
import { invoiceStatuses } from "@malote/domain/invoice";
import * as z from "zod";
import { contract } from "./contract.ts";
import { adminOnly, applications } from "./policy.ts";
import { date, done, id, positiveCentavos } from "./wire.ts";

/** An admin in either application (COM-002, COM-003). A company that shows no finance info has none to show (COM-004). */
const policy = { ...adminOnly, applications } as const;

export const invoice = z.object({
  id,
  /** The first day of the month that is charged. */
  billing_period_start: date,
  amount_of_transfers: z.int().positive(),
  total: positiveCentavos,
  status: z.enum(invoiceStatuses),
  due_date: date,
  /** The addresses of the operator's fiscal document and its boleto; null until they are issued. */
  electronic_invoice_url: z.string().nullable(),
  ticket_url: z.string().nullable(),
  /** Whether the counted payments are known: an imported invoice has no report (COM-032). */
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
  // The link is e-mailed to the caller: a machine has no address, and reads the file.
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
  // Every payment of a month: for those of the payments application.
  policy: adminOnly,
  query: period,
  transport: "file",
  response: z.any(),
});
