/** The outside in miniature, driven manually: exists only outside production. */
import { finalOpinions, situationTypes } from "@malote/domain/infraction";
import { invoiceStatuses } from "@malote/domain/invoice";
import { claimKinds } from "@malote/domain/own-pix-key";
import { pixKeyTypes } from "@malote/domain/pix-key";
import * as z from "zod";
import { contract } from "./contract.ts";
import { companyOptions, newNotice, notice } from "./installation.ts";
import { byId, centavos, date, done, id, instant, positiveCentavos } from "./wire.ts";

const policy = { access: "simulator" } as const;

export const railSettings = z.object({
  /** Milliseconds a Pix or an internal transfer takes to settle. */
  pix_latency_ms: z.int().min(0).max(3_600_000),
  /** 0 to 100: how many payments in a hundred fail for no reason of their own. */
  failure_percent: z.number().min(0).max(100),
  /** 0 to 100: how many calls to the network in a hundred get no answer, though they may have been done. */
  timeout_percent: z.number().min(0).max(100),
  /** 0 to 100: how many events are delivered twice. */
  duplicate_percent: z.number().min(0).max(100),
});

export const readSimulator = contract({
  id: "readSimulator",
  base: "simulator",
  method: "GET",
  path: "/state",
  summary: "Relógio, empresas e regras da rede de teste",
  policy,
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
  policy,
  body: railSettings.partial(),
  response: railSettings,
});

export const depositPix = contract({
  id: "depositPix",
  base: "simulator",
  method: "POST",
  path: "/deposits",
  summary: "Enviar um Pix de fora para uma empresa",
  policy,
  body: z.object({
    pix_key: z.string().max(77),
    value: positiveCentavos,
    payer_name: z.string().max(120).optional(),
    payer_document: z.string().max(20).optional(),
    message: z.string().max(140).optional(),
    /** Of the static QR code it is paid by. */
    txid: z
      .string()
      .regex(/^[a-zA-Z0-9]{1,25}$/)
      .optional(),
    /** The same id twice is one Pix, as in the real network. */
    end_to_end_id: z.string().max(32).optional(),
  }),
  response: z.object({ end_to_end_id: z.string() }),
});

const company = z.object({ id, name: z.string() });

/** What companies ask to be paid, and what other banks and the Pix system may do with money coming in. */
export const listSimulatedPayins = contract({
  id: "listSimulatedPayins",
  base: "simulator",
  method: "GET",
  path: "/payins",
  summary: "Cobranças que podem ser pagas e os últimos Pix recebidos",
  policy,
  response: z.object({
    charges: z.array(
      z.object({
        id,
        company,
        method: z.enum(["pix", "boleto"]),
        amount: positiveCentavos,
        payer_name: z.string(),
        expires_at: instant,
      }),
    ),
    received_pix: z.array(
      z.object({
        company,
        end_to_end_id: z.string(),
        amount: positiveCentavos,
        payer_name: z.string().nullable(),
        is_blocked: z.boolean(),
        /** Blocked once and let go: a second block does not happen. */
        was_blocked: z.boolean(),
      }),
    ),
  }),
});

export const payCharge = contract({
  id: "payCharge",
  base: "simulator",
  method: "POST",
  path: "/charges/:id/pay",
  summary: "Pagar uma cobrança por Pix ou boleto",
  policy,
  params: byId,
  body: z.object({
    payer_name: z.string().max(120).optional(),
    payer_document: z.string().max(20).optional(),
  }),
  response: done,
});

export const sendTed = contract({
  id: "sendTed",
  base: "simulator",
  method: "POST",
  path: "/teds",
  summary: "Enviar uma TED de fora para uma empresa",
  policy,
  body: z.object({
    company_id: id,
    value: positiveCentavos,
    payer_name: z.string().max(120).optional(),
    payer_document: z.string().max(20).optional(),
    purpose: z.enum(["payment", "receivables"]).default("payment"),
  }),
  /** TEDs run on business days, until 16:30. */
  response: z.object({ arrives_at: instant }),
});

export const blockPix = contract({
  id: "blockPix",
  base: "simulator",
  method: "POST",
  path: "/blocks",
  summary: "Bloquear por cautela um Pix recebido, por até 72 horas",
  policy,
  body: z.object({ company_id: id, end_to_end_id: z.string().max(32) }),
  response: done,
});

export const endPixBlock = contract({
  id: "endPixBlock",
  base: "simulator",
  method: "POST",
  path: "/blocks/end",
  summary: "Encerrar a análise de um bloqueio cautelar: liberar, devolver ou manter o dinheiro bloqueado",
  policy,
  body: z.object({
    company_id: id,
    end_to_end_id: z.string().max(32),
    outcome: z.enum(["released", "returned", "kept"]),
  }),
  response: done,
});

export const moveClock = contract({
  id: "moveClock",
  base: "simulator",
  method: "POST",
  path: "/clock",
  summary: "Mover o relógio para a frente ou voltar ao real",
  policy,
  body: z.union([
    z.object({ to: z.literal("next_business_day") }),
    z.object({ to: z.literal("real_time") }),
    /** The next time the São Paulo clock shows it. */
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
  policy,
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

/** The operator's own system, which collects the invoices, is outside too (decision 0017). */
export const listSimulatedInvoices = contract({
  id: "listSimulatedInvoices",
  base: "simulator",
  method: "GET",
  path: "/invoices",
  summary: "Faturas de todas as empresas",
  policy,
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
  path: "/invoices/:id/news",
  summary: "Contar o que houve com uma fatura: documentos emitidos, paga ou protestada",
  policy,
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
  policy,
  params: byId.extend({ document: z.enum(["nota-fiscal", "boleto"]) }),
  transport: "file",
  response: z.any(),
});

/** Whoever takes complaints of fraud to the central bank's system is outside too. */
export const listSimulatedInfractions = contract({
  id: "listSimulatedInfractions",
  base: "simulator",
  method: "GET",
  path: "/infractions",
  summary: "Pix recebidos que podem ser contestados, e as infrações abertas contra eles",
  policy,
  response: z.object({
    received: z.array(
      z.object({
        end_to_end_id: z.string(),
        company: z.string(),
        payer_name: z.string(),
        value: positiveCentavos,
        received_at: instant,
      }),
    ),
    reported: z.array(
      z.object({
        id: z.string(),
        end_to_end_id: z.string(),
        reported_at: instant,
        /** The last event that was delivered of it. */
        last_event: z.enum(["reported", "contested_by_email", ...finalOpinions]),
        answer: z
          .object({
            analysis: z.string(),
            description: z.string().nullable(),
            file_name: z.string().nullable(),
          })
          .nullable(),
      }),
    ),
  }),
});

export const reportInfraction = contract({
  id: "reportInfraction",
  base: "simulator",
  method: "POST",
  path: "/infractions",
  summary: "Contestar um Pix que uma empresa recebeu",
  policy,
  body: z.object({
    end_to_end_id: z.string().max(100),
    situation_type: z.enum(situationTypes),
    description: z.string().trim().max(2_000).optional(),
  }),
  response: z.object({ id: z.string() }),
});

export const announceInfraction = contract({
  id: "announceInfraction",
  base: "simulator",
  method: "POST",
  path: "/infractions/:id/news",
  summary: "Contar o que houve com uma infração: contestada por e-mail, ou o parecer",
  policy,
  params: byId,
  body: z.object({ kind: z.enum(["contested_by_email", ...finalOpinions]) }),
  response: done,
});

/** The Pix directory as its other participants see it, and what phones were sent. */
export const listDirectory = contract({
  id: "listDirectory",
  base: "simulator",
  method: "GET",
  path: "/pix-keys",
  summary: "Chaves das empresas no diretório do Pix, pedidos em aberto e mensagens enviadas a celulares",
  policy,
  response: z.object({
    keys: z.array(
      z.object({
        key: z.string(),
        key_type: z.enum(pixKeyTypes),
        company: z.object({ id, name: z.string() }),
        /** What another institution may ask of it now. */
        may_ask: z.array(z.enum(claimKinds)),
        claim: z
          .object({
            id,
            kind: z.enum(claimKinds),
            /** Asked for by one of our companies, and held elsewhere. */
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
  policy,
  body: z.object({ key: z.string().max(77), kind: z.enum(claimKinds) }),
  response: z.object({ id }),
});

export const answerClaim = contract({
  id: "answerClaim",
  base: "simulator",
  method: "POST",
  path: "/pix-keys/claims/:id/answer",
  summary: "Responder, de outra instituição, ao pedido de uma empresa, ou desistir do pedido feito a ela",
  policy,
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
  policy,
  response: z.object({ delivered: z.int() }),
});

export const startOver = contract({
  id: "startOver",
  base: "simulator",
  method: "POST",
  path: "/start-over",
  summary: "Apagar tudo e recomeçar com as empresas de demonstração",
  policy,
  response: done,
});

/** What `npm run operator` sets, for the companies of the demonstration. */
export const readInstallation = contract({
  id: "readInstallation",
  base: "simulator",
  method: "GET",
  path: "/installation",
  summary: "Opções das empresas e avisos em vigor",
  policy,
  response: z.object({
    companies: z.array(z.object({ id, name: z.string(), options: companyOptions })),
    shows_notices: z.boolean(),
    notices: z.array(notice),
  }),
});

export const changeOptions = contract({
  id: "changeOptions",
  base: "simulator",
  method: "PUT",
  path: "/installation/companies/:id",
  summary: "Mudar opções de uma empresa, como o operador da instalação",
  policy,
  params: byId,
  body: companyOptions.partial().refine((body) => Object.keys(body).length > 0),
  response: companyOptions,
});

export const showNotices = contract({
  id: "showNotices",
  base: "simulator",
  method: "PUT",
  path: "/installation/notices",
  summary: "Mostrar ou não os avisos no sandbox",
  policy,
  body: z.object({ shows: z.boolean() }),
  response: done,
});

export const announceNotice = contract({
  id: "announceNotice",
  base: "simulator",
  method: "POST",
  path: "/installation/notices",
  summary: "Publicar um incidente ou uma manutenção",
  policy,
  body: newNotice,
  response: notice,
});

export const endNotice = contract({
  id: "endNotice",
  base: "simulator",
  method: "DELETE",
  path: "/installation/notices/:id",
  summary: "Encerrar um aviso",
  policy,
  params: byId,
  response: done,
});
