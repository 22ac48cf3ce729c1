import * as z from "zod";
import { contract } from "./contract.ts";
import { everyProfile } from "./policy.ts";
import {
  byId,
  centavos,
  date,
  id,
  instant,
  listMetadata,
  listOf,
  pageFromZero,
  positiveCentavos,
} from "./wire.ts";

export const receivableStatuses = ["scheduled", "received", "canceled", "refunded"] as const;
export type ReceivableStatus = (typeof receivableStatuses)[number];

/** Portuguese names of the statuses of receivables (CRD-007). */
export const receivableStatusNames: Readonly<Record<ReceivableStatus, string>> = {
  scheduled: "A receber",
  received: "Recebido",
  canceled: "Cancelado",
  refunded: "Devolvido",
};

/** The policy of CRD-001. The action checks the company's setting hasCardCharge. */
const policy = { ...everyProfile, flag: "card-charge" } as const;

export const receivable = z.object({
  id,
  status: z.enum(receivableStatuses),
  transaction: z.object({
    date: instant,
    /** The number of instalments of the whole sale; `installment` is the number of this one. */
    installments: z.int(),
    installment: z.int(),
  }),
  receive_date: date.nullable(),
  expected_receive_date: date.nullable(),
  authorization_code: z.string(),
  gross_amount: positiveCentavos,
  net_amount: positiveCentavos,
});
export type Receivable = z.infer<typeof receivable>;

/** The dates filter the column's date: the day of receipt, or the expected day. */
const filters = {
  search: z.string().trim().max(100).optional(),
  receive_date__gte: date.optional(),
  receive_date__lte: date.optional(),
};

export const listReceivables = contract({
  id: "listReceivables",
  base: "cards",
  method: "GET",
  path: "/app/receivables",
  summary: "Recebíveis de cartão, do mais novo ao mais antigo",
  policy,
  query: z.object({
    ...filters,
    status__in: listOf(z.enum(receivableStatuses)),
    page: pageFromZero,
    page_size: z.coerce.number().int().min(1).max(100).default(10),
  }),
  response: z.object({ items: z.array(receivable), metadata: listMetadata }),
});

const total = z.object({ total_amount: centavos });

export const readReceivableTotals = contract({
  id: "readReceivableTotals",
  base: "cards",
  method: "GET",
  path: "/app/receivables_summary",
  summary: "Totais líquidos dos recebíveis de cartão por situação, com os filtros da lista",
  policy,
  query: z.object({ ...filters, status__in: listOf(z.enum(receivableStatuses)) }),
  response: z.object({ scheduled: total, received: total, canceled: total, refunded: total }),
});

export const requestReceivableReport = contract({
  id: "requestReceivableReport",
  base: "cards",
  method: "POST",
  path: "/app/card_receivables_reports",
  summary: "Pedir uma planilha (CSV) dos recebíveis de cartão, com os filtros da lista",
  policy,
  body: z.object({
    ...filters,
    status__in: z.array(z.enum(receivableStatuses)).max(receivableStatuses.length).default([]),
  }),
  response: z.object({ id }),
});

export const readReceivableReport = contract({
  id: "readReceivableReport",
  base: "cards",
  method: "GET",
  path: "/app/card_receivables_reports/:id",
  summary: "Dizer se a planilha de recebíveis está pronta, e onde",
  policy,
  params: byId,
  response: z.object({ link: z.string().nullable(), filename: z.string().nullable() }),
});

export const downloadReceivableReport = contract({
  id: "downloadReceivableReport",
  base: "cards",
  method: "GET",
  path: "/app/card_receivables_reports/:id/file",
  summary: "Baixar a planilha de recebíveis de cartão (CSV)",
  policy,
  params: byId,
  transport: "file",
  response: z.any(),
});
