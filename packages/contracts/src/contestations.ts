/** Pix infractions that the company received (MED), their answers and their refunds. */
import { analysisStatuses, attemptStatuses, refundStatuses, situationTypes } from "@malote/domain/infraction";
import { contestationPageSizes } from "@malote/domain/limits";
import * as z from "zod";
import { contract } from "./contract.ts";
import { adminOrOperator, everyProfile } from "./policy.ts";
import { byId, centavos, date, id, instant, positiveCentavos } from "./wire.ts";

/** Every route needs this permission (MED-002). */
const policy = { ...everyProfile, permission: "infractions_manage" } as const;
/** An answer may return money irrevocably, which analysts may never do (SES-053). */
const answering = { ...adminOrOperator, permission: "infractions_manage" } as const;

export const infractionRefund = z.object({
  status: z.enum(refundStatuses),
  refunded_amount: centavos,
  /** The moment of the last partial refund; null while there is none. */
  refund_date: instant.nullable(),
  monitoring_end_date: instant,
});
export type InfractionRefund = z.infer<typeof infractionRefund>;

export const infraction = z.object({
  id,
  /** The end-to-end id of the contested Pix. */
  transaction_id: z.string(),
  txid: z.string().nullable(),
  infraction_date: instant,
  analysis_due_date: instant,
  analysis_status: z.enum(analysisStatuses),
  /** The moment of an answer by e-mail, after which the infraction cannot be answered here. */
  contested_at: instant.nullable(),
  /** The provider's opinion, which may be an unknown code. */
  status: z.string(),
  payer_name: z.string(),
  /** The payer's document; a CPF is masked. */
  payer_tax_id: z.string().nullable(),
  amount: positiveCentavos,
  /** The payin of this Pix; null where it is unknown here. */
  payin_id: id.nullable(),
  /** The amount that an approval would still refund, less what the company has already returned. */
  returnable_amount: centavos,
  situation_type: z.enum(situationTypes),
  infraction_description: z.string().nullable(),
  analysis_description: z.string().nullable(),
  /** The moment of the company's answer. */
  analysis_date: instant.nullable(),
  /** Each address opens without a token for some minutes; to get a new one, the caller reads the infraction again. */
  files: z.array(z.object({ name: z.string(), signed_url: z.string() })),
  /** The person who analysed the infraction. */
  user: z.object({ name: z.string() }).nullable(),
  /** Null while there is no refund. */
  refund: infractionRefund.nullable(),
  /** The pending approval request for an acceptance by one person; null when there is none. */
  approval_request: z
    .object({
      requested_by: z.string(),
      requested_at: instant,
      /** The number of infractions that the request accepts together. */
      infractions: z.int().positive(),
    })
    .nullable(),
});
export type Infraction = z.infer<typeof infraction>;

const pageMeta = z.object({ next: z.string().nullable(), previous: z.string().nullable() });
const pageCursor = z.string().max(200).optional();

/** The filters of the list and of its export. */
const filters = {
  analysis_status: z.enum(analysisStatuses).optional(),
  /** The full id or a part of it. */
  transaction_id: z.string().trim().max(100).optional(),
  payer_tax_id: z.string().trim().max(20).optional(),
  infraction_date__gte: date.optional(),
  infraction_date__lte: date.optional(),
};
export type InfractionFilters = z.infer<z.ZodObject<typeof filters>>;

const [smallest, ...larger] = contestationPageSizes.map((size) => z.literal(size));
const pageSize = z.coerce
  .number()
  .pipe(z.union([smallest, ...larger] as [z.ZodLiteral<number>, z.ZodLiteral<number>]));

export const listInfractions = contract({
  id: "listInfractions",
  base: "payments",
  method: "GET",
  path: "/med/infractions",
  summary: "Infrações Pix da empresa, da mais nova à mais antiga, com CPFs mascarados",
  policy,
  query: z.object({
    ...filters,
    page_cursor: pageCursor,
    page_size: pageSize.default(contestationPageSizes[0]),
  }),
  response: z.object({ items: z.array(infraction), meta: pageMeta }),
});

export const readPendingInfractions = contract({
  id: "readPendingInfractions",
  base: "payments",
  method: "GET",
  path: "/med/infractions/pending",
  summary: "Quantas infrações aguardam resposta",
  policy,
  response: z.object({ quantity: z.int() }),
});

export const readInfraction = contract({
  id: "readInfraction",
  base: "payments",
  method: "GET",
  path: "/med/infractions/:id",
  summary: "Ler uma infração",
  policy,
  params: byId,
  response: infraction,
});

/** Equals the size of the largest page. */
const approvedMax = 100;

export const approveInfractions = contract({
  id: "approveInfractions",
  base: "payments",
  method: "POST",
  path: "/med/infractions/analysis",
  summary:
    "Aprovar infrações: concorda que houve fraude, e o valor volta para cada pagador. Não pode ser desfeito",
  policy: answering,
  idempotent: true,
  stepUp: true,
  body: z.object({ infraction_ids: z.array(id).min(1).max(approvedMax), analysis: z.literal("accepted") }),
  /** True when the request waits for another person's approval; no infraction is answered until then. */
  response: z.object({ approved: z.int(), awaits_approval: z.boolean().optional() }),
});

export const answerInfraction = contract({
  id: "answerInfraction",
  base: "payments",
  method: "POST",
  path: "/med/infractions/:id/analysis",
  summary:
    "Responder uma infração (multipart: analysis accepted ou rejected, analysis_description e, se houver, attachments). Não pode ser desfeito",
  policy: answering,
  stepUp: true,
  params: byId,
  transport: "multipart",
  response: infraction.extend({ awaits_approval: z.boolean().optional() }),
});

export const infractionRefundMovement = z.object({
  id,
  attempt_status: z.enum(attemptStatuses),
  attempt_date: instant,
  amount: positiveCentavos,
  /** The id of the return in the Pix system; null where the refund was impossible. */
  return_id: z.string().nullable(),
});
export type InfractionRefundMovement = z.infer<typeof infractionRefundMovement>;

export const listInfractionRefunds = contract({
  id: "listInfractionRefunds",
  base: "payments",
  method: "GET",
  path: "/med/infractions/:id/refunds",
  summary: "Tentativas de devolver o valor de uma infração, da mais nova à mais antiga",
  policy,
  params: byId,
  query: z.object({
    /** A part of the return's id. */
    search: z.string().trim().max(100).optional(),
    page_cursor: pageCursor,
    page_size: pageSize.default(contestationPageSizes[0]),
  }),
  response: z.object({ items: z.array(infractionRefundMovement), meta: pageMeta }),
});

export const downloadInfractionFile = contract({
  id: "downloadInfractionFile",
  base: "payments",
  method: "GET",
  path: "/med/infractions/:id/file",
  summary:
    "Baixar o anexo da defesa de uma infração, pelo endereço assinado que a infração traz em files (vale por poucos minutos)",
  // The signature grants access: it contains the company, the infraction and the expiry.
  policy: { access: "public" },
  params: byId,
  query: z.object({
    company: id,
    expires: z.coerce.number().int().positive(),
    signature: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  transport: "file",
  response: z.any(),
});

export const infractionExportStatuses = ["processing", "succeeded", "failed", "expired"] as const;

const infractionExport = z.object({
  id,
  status: z.enum(infractionExportStatuses),
  /** The path of the file, readable with the same token; null while there is no file. */
  file_url: z.string().nullable(),
  file_name: z.string(),
});
export type InfractionExport = z.infer<typeof infractionExport>;

export const exportInfractions = contract({
  id: "exportInfractions",
  base: "payments",
  method: "POST",
  path: "/med/infractions/export",
  summary: "Pedir a lista de infrações em CSV, com os filtros dela; o link vai também por e-mail",
  // A machine credential has no e-mail address for the link; it reads the list instead.
  policy: { ...policy, machine: false },
  body: z.object(filters),
  response: infractionExport,
});

export const readInfractionExport = contract({
  id: "readInfractionExport",
  base: "payments",
  method: "GET",
  path: "/med/infractions/export/:id",
  summary: "Andamento de uma exportação de infrações",
  policy,
  params: byId,
  response: infractionExport,
});

export const downloadInfractionExport = contract({
  id: "downloadInfractionExport",
  base: "payments",
  method: "GET",
  path: "/med/infractions/export/:id/file",
  summary: "Baixar uma exportação de infrações (CSV)",
  policy,
  params: byId,
  transport: "file",
  response: z.any(),
});

export const readInfractionTerms = contract({
  id: "readInfractionTerms",
  base: "payments",
  method: "GET",
  path: "/med/terms",
  summary: "Termos de uso do painel de infrações",
  policy,
  response: z.object({ text: z.string() }),
});
