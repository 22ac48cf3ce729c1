import { payinCategories, payinStatuses, payinTypes } from "@malote/domain/payin";
import * as z from "zod";
import { contract } from "./contract.ts";
import { adminOrOperator, everyProfile } from "./policy.ts";
import { byId, centavos, date, id, instant, listOf, positiveCentavos } from "./wire.ts";

const payer = z.object({
  name: z.string().nullable(),
  /** The document; a person's CPF is masked. */
  tax_id: z.string().nullable(),
});

/** Details that only some methods have (PAY-022, PAY-023). */
const payinDetails = z.object({
  installments: z.int().nullable(),
  digitable_line: z.string().nullable(),
  authorization_code: z.string().nullable(),
  pix_key: z.string().nullable(),
  due_date: date.nullable(),
  charge_id: id.nullable(),
  interest_type: z.string().nullable(),
  interest_amount: centavos.nullable(),
  interest_percent: z.number().nullable(),
  fine_type: z.string().nullable(),
  fine_amount: centavos.nullable(),
  fine_percent: z.number().nullable(),
  rejection_reason: z.string().nullable(),
});

export const payin = z.object({
  id,
  status: z.enum(payinStatuses),
  created_at: instant,
  updated_at: instant,
  received_at: instant.nullable(),
  refund_expires_at: instant.nullable(),
  expires_at: instant.nullable(),
  amount: positiveCentavos,
  /** The requested amount; null for money that no charge requested. */
  original_amount: centavos.nullable(),
  received_amount: centavos,
  refunded_amount: centavos,
  refundable_amount: centavos,
  rejected_at: instant.nullable(),
  payer,
  payment_type: z.enum(payinTypes),
  category: z.enum(payinCategories),
  payment_link_id: id.nullable(),
  /** True for a second payment of something already paid, which the company owes back to the payer. */
  paid_twice: z.boolean(),
  end_to_end_id: z.string().nullable(),
  /** The txid of the Pix, chosen by the party that charged for it. */
  txid: z.string().nullable(),
  /** The sold item, where the payin came by a payment link. */
  payment_link: z.object({ name: z.string(), description: z.string().nullable() }).nullable(),
  /** The payer's message in the Pix. */
  message: z.string().nullable(),
  /** Infractions of this payin, the newest first, for people who may read them. */
  infraction_ids: z.array(id),
  /** The address where company and payer can open and print the boleto; null where it is no longer payable. */
  boleto_url: z.string().nullable(),
  /** The path of its receipt, readable with the same token; null while there is none. */
  receipt_file_url: z.string().nullable(),
  block: z
    .object({
      block_reason: z.string().nullable(),
      amount: positiveCentavos,
      blocked_at: instant,
      /** The moment at which the 72 hours of analysis ended with the money still blocked; null otherwise. */
      kept_at: instant.nullable(),
      unblocked_at: instant.nullable(),
    })
    .nullable(),
  details: payinDetails,
});
export type Payin = z.infer<typeof payin>;

export const payinPageSizeMax = 100;

/**
 * Filters shared by list, totals and report. Both instants are inclusive; nothing before 2024 is ever answered
 * (PAY-007).
 */
const filters = {
  search: z.string().trim().max(100).optional(),
  created_at__gte: instant.optional(),
  created_at__lte: instant.optional(),
};
const filterQuery = {
  ...filters,
  status__in: listOf(z.enum(payinStatuses)),
  payment_type__in: listOf(z.enum(payinTypes)),
};

export const listPayins = contract({
  id: "listPayins",
  base: "payments",
  method: "GET",
  path: "/app/payins",
  summary:
    "Recebimentos desde 01/01/2024, do mais novo ao mais antigo, por número de página ou por cursor; a busca vê pagador, documento, link, mensagem, identificadores e valor",
  policy: everyProfile,
  query: z.object({
    ...filterQuery,
    page_size: z.coerce.number().int().min(1).max(payinPageSizeMax).default(10),
    page: z.coerce.number().int().min(0).max(1_000_000).default(0),
    /** A cursor of an earlier answer; takes precedence over `page`. */
    page_cursor: z.string().max(200).optional(),
  }),
  response: z.object({
    items: z.array(payin),
    metadata: z.object({
      pagination: z.object({
        itemsPerPage: z.int(),
        /** Counts up to 10,000; above that it is 10,001, and the list is paged by cursor. */
        totalItems: z.int(),
        /** Present where the list is paged by cursor; null at its ends (PAY-004). */
        next: z.string().nullable().optional(),
        previous: z.string().nullable().optional(),
      }),
    }),
  }),
});

/** The keys of the summary: one key may cover several statuses (PAY-013). */
export const payinTotals = [
  "pending",
  "authorized",
  "received",
  "refunded",
  "blocked",
  "canceled",
  "unauthorized",
  "expired",
] as const;
export type PayinTotal = (typeof payinTotals)[number];
const total = z.object({ total_amount: centavos, count: z.int() });

export const readPayinTotals = contract({
  id: "readPayinTotals",
  base: "payments",
  method: "GET",
  path: "/app/payins_summary",
  summary: "Totais por situação dos recebimentos desde 01/01/2024, com os filtros da lista",
  policy: everyProfile,
  query: z.object(filterQuery),
  response: z.object(
    Object.fromEntries(payinTotals.map((name) => [name, total])) as Record<PayinTotal, typeof total>,
  ),
});

export const readPayin = contract({
  id: "readPayin",
  base: "payments",
  method: "GET",
  path: "/app/payins/:id",
  summary: "Ler um recebimento",
  policy: everyProfile,
  params: byId,
  response: payin,
});

export const downloadPayinReceipt = contract({
  id: "downloadPayinReceipt",
  base: "payments",
  method: "GET",
  path: "/app/payins/:id/receipt",
  summary: "Baixar o comprovante de um recebimento (PDF)",
  policy: everyProfile,
  params: byId,
  transport: "file",
  response: z.any(),
});

/** One refund of a payin (PAY-033). */
export const payinRefund = z.object({
  id,
  amount: positiveCentavos,
  created_at: instant,
  receipt_file_url: z.string().nullable(),
  status: z.enum(["processing", "succeeded", "failed"]),
  error: z.string().nullable(),
});
export type PayinRefund = z.infer<typeof payinRefund>;

/** The action checks the permission, not the policy, because a refund of a blocked payin does not need it (PAY-027). */
export const refundPayin = contract({
  id: "refundPayin",
  base: "payments",
  method: "POST",
  path: "/app/payins/:id/refunds",
  summary: "Devolver um recebimento ao pagador, inteiro ou em parte",
  policy: adminOrOperator,
  idempotent: true,
  stepUp: true,
  params: byId,
  body: z.object({ amount: positiveCentavos }),
  /** True when the refund waits for another person's approval: no money has left, and `id` is that of the request. */
  response: payinRefund.extend({ awaits_approval: z.boolean().optional() }),
});

export const listPayinRefunds = contract({
  id: "listPayinRefunds",
  base: "payments",
  method: "GET",
  path: "/app/payins/:id/refunds",
  summary: "Devoluções de um recebimento, da mais nova à mais antiga",
  policy: everyProfile,
  params: byId,
  response: z.object({
    items: z.array(payinRefund),
    metadata: z.object({ pagination: z.object({ itemsPerPage: z.int(), totalItems: z.int() }) }),
  }),
});

export const downloadRefundReceipt = contract({
  id: "downloadRefundReceipt",
  base: "payments",
  method: "GET",
  path: "/app/payins/:id/refunds/:refund_id/receipt",
  summary: "Baixar o comprovante de uma devolução (PDF)",
  policy: everyProfile,
  params: z.object({ id, refund_id: id }),
  transport: "file",
  response: z.any(),
});

const report = z.object({
  /** Null while the file is being generated. */
  link: z.string().nullable(),
  filename: z.string().nullable(),
});

export const requestPayinReport = contract({
  id: "requestPayinReport",
  base: "payments",
  method: "POST",
  path: "/app/payin_reports",
  summary: "Pedir uma planilha (CSV) dos recebimentos, com os filtros da lista",
  policy: everyProfile,
  body: z.object({
    ...filters,
    status__in: z.array(z.enum(payinStatuses)).max(payinStatuses.length).default([]),
    payment_type__in: z.array(z.enum(payinTypes)).max(payinTypes.length).default([]),
  }),
  response: z.object({ id }),
});

export const readPayinReport = contract({
  id: "readPayinReport",
  base: "payments",
  method: "GET",
  path: "/app/payin_reports/:id",
  summary: "Dizer se a planilha de recebimentos está pronta, e onde",
  policy: everyProfile,
  params: byId,
  response: report,
});

export const downloadPayinReport = contract({
  id: "downloadPayinReport",
  base: "payments",
  method: "GET",
  path: "/app/payin_reports/:id/file",
  summary: "Baixar a planilha de recebimentos (CSV)",
  policy: everyProfile,
  params: byId,
  transport: "file",
  response: z.any(),
});
