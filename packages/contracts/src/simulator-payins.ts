/** Simulated incoming money from other banks and the Pix system, driven manually; available only outside production. */
import { finalOpinions, situationTypes } from "@malote/domain/infraction";
import * as z from "zod";
import { contract } from "./contract.ts";
import { simulatorOnly } from "./policy.ts";
import { byId, done, id, instant, positiveCentavos } from "./wire.ts";

export const depositPix = contract({
  id: "depositPix",
  base: "simulator",
  method: "POST",
  path: "/deposits",
  summary: "Enviar um Pix de fora para uma empresa",
  policy: simulatorOnly,
  body: z.object({
    pix_key: z.string().max(77),
    value: positiveCentavos,
    payer_name: z.string().max(120).optional(),
    payer_document: z.string().max(20).optional(),
    message: z.string().max(140).optional(),
    /** The txid of the static QR code that it pays. */
    txid: z
      .string()
      .regex(/^[a-zA-Z0-9]{1,25}$/)
      .optional(),
    /** A repeated id is the same Pix, as in the real network. */
    end_to_end_id: z.string().max(32).optional(),
  }),
  response: z.object({ end_to_end_id: z.string() }),
});

const company = z.object({ id, name: z.string() });

/** Lists the companies' charges, with the actions that other banks and the Pix system may take on incoming money. */
export const listSimulatedPayins = contract({
  id: "listSimulatedPayins",
  base: "simulator",
  method: "GET",
  path: "/payins",
  summary: "Cobranças que podem ser pagas e os últimos Pix recebidos",
  policy: simulatorOnly,
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
        /** True when it was blocked once and released; it cannot be blocked again. */
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
  policy: simulatorOnly,
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
  policy: simulatorOnly,
  body: z.object({
    company_id: id,
    value: positiveCentavos,
    payer_name: z.string().max(120).optional(),
    payer_document: z.string().max(20).optional(),
    purpose: z.enum(["payment", "receivables"]).default("payment"),
  }),
  /** The arrival; TEDs run on business days until 16:30. */
  response: z.object({ arrives_at: instant }),
});

export const blockPix = contract({
  id: "blockPix",
  base: "simulator",
  method: "POST",
  path: "/blocks",
  summary: "Bloquear por cautela um Pix recebido, por até 72 horas",
  policy: simulatorOnly,
  body: z.object({ company_id: id, end_to_end_id: z.string().max(32) }),
  response: done,
});

export const endPixBlock = contract({
  id: "endPixBlock",
  base: "simulator",
  method: "POST",
  path: "/blocks/end",
  summary: "Encerrar a análise de um bloqueio cautelar: liberar, devolver ou manter o dinheiro bloqueado",
  policy: simulatorOnly,
  body: z.object({
    company_id: id,
    end_to_end_id: z.string().max(32),
    outcome: z.enum(["released", "returned", "kept"]),
  }),
  response: done,
});

/** Lists infractions of the central bank's system for fraud reports, which is simulated too. */
export const listSimulatedInfractions = contract({
  id: "listSimulatedInfractions",
  base: "simulator",
  method: "GET",
  path: "/infractions",
  summary: "Pix recebidos que podem ser contestados, e as infrações abertas contra eles",
  policy: simulatorOnly,
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
        /** The last event that the system delivered. */
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
  policy: simulatorOnly,
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
  path: "/infractions/:id/reports",
  summary: "Contar o que houve com uma infração: contestada por e-mail, ou o parecer",
  policy: simulatorOnly,
  params: byId,
  body: z.object({ kind: z.enum(["contested_by_email", ...finalOpinions]) }),
  response: done,
});
