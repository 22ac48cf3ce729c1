/** The simulated outside, driven manually; available only outside production. */
import { invoiceStatuses } from "@malote/domain/invoice";
import { claimKinds } from "@malote/domain/own-pix-key";
import { pixKeyTypes } from "@malote/domain/pix-key";
import * as z from "zod";
import { contract } from "./contract.ts";
import { simulatorOnly } from "./policy.ts";
import { byId, centavos, date, done, id, instant, positiveCentavos } from "./wire.ts";

export const railSettings = z.object({
  /** Settlement time of a Pix or an internal transfer, in milliseconds. */
  pix_latency_ms: z.int().min(0).max(3_600_000),
  /** The percentage (0 to 100) of payments that fail without a specific reason. */
  failure_percent: z.number().min(0).max(100),
  /** The percentage (0 to 100) of network calls that get no answer, although the network may have processed them. */
  timeout_percent: z.number().min(0).max(100),
  /** The percentage (0 to 100) of events that are delivered twice. */
  duplicate_percent: z.number().min(0).max(100),
});

export const readSimulator = contract({
  id: "readSimulator",
  base: "simulator",
  method: "GET",
  path: "/state",
  summary: "Relógio, empresas e regras da rede de teste",
  policy: simulatorOnly,
  response: z.object({
    now: instant,
    clock_moved: z.boolean(),
    rails: railSettings,
    companies: z.array(
      z.object({
        id,
        name: z.string(),
        cpf_cnpj: z.string(),
        balance: centavos,
        waiting_value: centavos,
        pix_key: z.string(),
      }),
    ),
    users: z.array(
      z.object({ email: z.string(), password: z.string(), profile: z.string(), company: z.string() }),
    ),
    in_flight: z.int(),
    magic_values: z.array(z.object({ value: z.string(), kind: z.string(), outcome: z.string() })),
  }),
});

export const changeRails = contract({
  id: "changeRails",
  base: "simulator",
  method: "PUT",
  path: "/rails",
  summary: "Mudar latência e taxas de falha da rede",
  policy: simulatorOnly,
  body: railSettings.partial(),
  response: railSettings,
});

export const moveClock = contract({
  id: "moveClock",
  base: "simulator",
  method: "POST",
  path: "/clock",
  summary: "Mover o relógio para a frente",
  policy: simulatorOnly,
  body: z.union([
    z.object({ to: z.literal("next_business_day") }),
    /** The next moment at which the clock of São Paulo shows this time. */
    z.object({ time: z.string().regex(/^\d{2}:\d{2}$/) }),
    z.object({ instant: instant }),
    z.object({
      advance_ms: z
        .int()
        .min(1)
        .max(366 * 24 * 3_600_000),
    }),
  ]),
  response: z.object({ now: instant }),
});

export const listMails = contract({
  id: "listMails",
  base: "simulator",
  method: "GET",
  path: "/mails",
  summary: "E-mails enviados, do mais novo ao mais antigo",
  policy: simulatorOnly,
  response: z.object({
    data: z.array(
      z.object({
        id,
        to: z.string(),
        subject: z.string(),
        text: z.string(),
        html: z.string(),
        sent_at: instant,
        brand: z.string(),
        reply_to: z.string().nullable(),
        attachment_name: z.string().nullable(),
      }),
    ),
  }),
});

/** Lists invoices in the operator's own collection system, which is simulated too (decision 0017). */
export const listSimulatedInvoices = contract({
  id: "listSimulatedInvoices",
  base: "simulator",
  method: "GET",
  path: "/invoices",
  summary: "Faturas de todas as empresas",
  policy: simulatorOnly,
  response: z.object({
    data: z.array(
      z.object({
        id,
        company: z.object({ id, name: z.string() }),
        billing_period_start: date,
        amount_of_transfers: z.int(),
        total: positiveCentavos,
        status: z.enum(invoiceStatuses),
        due_date: date,
        is_issued: z.boolean(),
      }),
    ),
  }),
});

export const announceInvoice = contract({
  id: "announceInvoice",
  base: "simulator",
  method: "POST",
  path: "/invoices/:id/reports",
  summary: "Contar o que houve com uma fatura: documentos emitidos, paga ou protestada",
  policy: simulatorOnly,
  params: byId,
  body: z.object({ kind: z.enum(["issued", "paid", "protested"]) }),
  response: done,
});

export const readInvoiceDocument = contract({
  id: "readInvoiceDocument",
  base: "simulator",
  method: "GET",
  path: "/invoices/:id/:document",
  summary: "Nota fiscal ou boleto de teste de uma fatura",
  policy: simulatorOnly,
  params: byId.extend({ document: z.enum(["nota-fiscal", "boleto"]) }),
  transport: "file",
  response: z.any(),
});

/** Lists the Pix directory as its other participants see it, and the texts sent to phones. */
export const listDirectory = contract({
  id: "listDirectory",
  base: "simulator",
  method: "GET",
  path: "/pix-keys",
  summary: "Chaves das empresas no diretório do Pix, pedidos em aberto e mensagens enviadas a celulares",
  policy: simulatorOnly,
  response: z.object({
    keys: z.array(
      z.object({
        key: z.string(),
        key_type: z.enum(pixKeyTypes),
        company: z.object({ id, name: z.string() }),
        /** The claims that another institution may request now. */
        may_ask: z.array(z.enum(claimKinds)),
        claim: z
          .object({
            id,
            kind: z.enum(claimKinds),
            /** True when one of our companies claims a key held elsewhere. */
            is_ours: z.boolean(),
          })
          .nullable(),
      }),
    ),
    texts: z.array(z.object({ id, to: z.string(), words: z.string(), sent_at: instant })),
  }),
});

export const raiseClaim = contract({
  id: "raiseClaim",
  base: "simulator",
  method: "POST",
  path: "/pix-keys/claims",
  summary: "Pedir, de outra instituição, a portabilidade ou a reivindicação de uma chave de uma empresa",
  policy: simulatorOnly,
  body: z.object({ key: z.string().max(77), kind: z.enum(claimKinds) }),
  response: z.object({ id }),
});

export const answerClaim = contract({
  id: "answerClaim",
  base: "simulator",
  method: "POST",
  path: "/pix-keys/claims/:id/answer",
  summary: "Responder, de outra instituição, ao pedido de uma empresa, ou desistir do pedido feito a ela",
  policy: simulatorOnly,
  params: byId,
  body: z.object({ answer: z.enum(["grant", "cancel"]) }),
  response: done,
});

export const runPending = contract({
  id: "runPending",
  base: "simulator",
  method: "POST",
  path: "/settle",
  summary: "Entregar agora tudo que a rede tem para entregar até a hora do relógio",
  policy: simulatorOnly,
  response: z.object({ delivered: z.int() }),
});

export const startOver = contract({
  id: "startOver",
  base: "simulator",
  method: "POST",
  path: "/start-over",
  summary: "Apagar tudo e recomeçar, na hora real, com as empresas de demonstração",
  policy: simulatorOnly,
  response: done,
});
