import { boletoStatuses } from "@malote/domain/boleto";
import { boletoCodeTypedMax, boletoDescriptionLengthMax, integrationIdMax } from "@malote/domain/limits";
import * as z from "zod";
import { boletoRegister } from "./boleto-register.ts";
import { confirmations } from "./checks.ts";
import { contract } from "./contract.ts";
import { adminOrOperator, everyProfile } from "./policy.ts";
import { dataMark, paymentsQuery, paymentsWithReceipt } from "./transfers.ts";
import { bank, byId, centavos, date, done, id, instant, issue, listMetadata, pageFromZero } from "./wire.ts";

/** Input for saving a boleto (BIL-002). Errors return as issues beside their fields, like those of transfers. */
export const boletoInput = z.object({
  id: id.optional(),
  value: centavos.min(0).nullable(),
  payment_date: date.nullish(),
  /** The barcode or its typeable line, with or without mask. */
  barcode: z.string().max(boletoCodeTypedMax),
  description: z.string().max(boletoDescriptionLengthMax).nullish(),
  integration_id: z.string().max(integrationIdMax).nullish(),
});
export type BoletoInput = z.infer<typeof boletoInput>;

export const boleto = z.object({
  id,
  value: centavos.nullable(),
  payment_date: date.nullable(),
  due_date: date.nullable(),
  /** 44 digits, or the text as typed while it is invalid. */
  barcode: z.string().nullable(),
  /** The line of 47 or 48 digits; null while the barcode is wrong. */
  digitable_line: z.string().nullable(),
  type: z.enum(["SIMPLE", "COLLECTION"]).nullable(),
  description: z.string().nullable(),
  integration_id: z.string().nullable(),
  status: z.enum(boletoStatuses),
  status_description: z.string().nullable(),
  /** The bank of the barcode, for a SIMPLE boleto (BIL-019). */
  bank: bank.nullable(),
  /** The day of payment, set once the batch is closed. */
  scheduled_for: date.nullable(),
  can_cancel: z.boolean(),
  paid_date: instant.nullable(),
  returned_date: instant.nullable(),
  created_at: instant,
  batch_id: id,
  batch: z.object({ id, name: z.string() }),
  receipt_url: z.string().nullable(),
  bank_receipt_url: z.string().nullable(),
  /** The register's last answer; null when there was no lookup. */
  register: boletoRegister.nullable(),
  errors: z.array(issue),
  warnings: z.array(issue),
  /** Marks of a draft: the code or value that a person typed over the sheet's. */
  data_marks: z.array(dataMark),
});
export type Boleto = z.infer<typeof boleto>;

/** The statuses of BIL-004, with the two filters that a draft needs. PAID covers FINISHED (BIL-005). */
export const boletoFilters = [
  "CREATED",
  "SCHEDULED",
  "EXECUTING",
  "PAID",
  "FAILED",
  "RETURNED",
  "WITH_ERRORS",
  "WITH_WARNINGS",
] as const;

export const listBoletos = contract({
  id: "listBoletos",
  base: "payments",
  method: "GET",
  path: "/batch/:id/billet",
  summary: "Boletos de um lote, 50 por página",
  policy: everyProfile,
  params: byId,
  query: z.object({
    page: z.coerce.number().int().min(0).max(2_000).default(0),
    status: z.enum(boletoFilters).optional(),
    search: z.string().trim().max(100).optional(),
  }),
  response: z.object({ data: z.array(boleto), metadata: listMetadata }),
});

/** The filters of the transfers page (TRF-009), in the vocabulary of boletos. */
export const boletoPageFilters = ["CREATED", "SCHEDULED", "EXECUTING", "PAID", "FAILED", "RETURNED"] as const;
export type BoletoPageFilter = (typeof boletoPageFilters)[number];

const boletosQuery = paymentsQuery.extend({ status: z.enum(boletoPageFilters).optional() });

export const listAllBoletos = contract({
  id: "listAllBoletos",
  base: "payments",
  method: "GET",
  path: "/app/billet",
  summary: "Boletos de todos os lotes criados no período",
  policy: everyProfile,
  query: boletosQuery.extend({ page: pageFromZero }),
  response: z.object({ data: z.array(boleto), metadata: listMetadata }),
});

export const readBoletosBlankslate = contract({
  id: "readBoletosBlankslate",
  base: "payments",
  method: "GET",
  path: "/billet/hasBlankslate",
  summary: "Dizer se a empresa ainda não tem boletos",
  policy: everyProfile,
  response: z.object({ data: z.boolean() }),
});

export const listBoletosWithReceipts = contract({
  id: "listBoletosWithReceipts",
  base: "payments",
  method: "GET",
  path: "/app/billet/withReceipts",
  summary: "Boletos do filtro que têm comprovante",
  policy: everyProfile,
  query: boletosQuery,
  response: paymentsWithReceipt,
});

export const addBoleto = contract({
  id: "addBoleto",
  base: "payments",
  method: "POST",
  path: "/app/batch/:id/billet",
  summary: "Incluir um boleto no lote",
  policy: adminOrOperator,
  params: byId,
  body: boletoInput,
  response: boleto,
});

export const changeBoleto = contract({
  id: "changeBoleto",
  base: "payments",
  method: "PUT",
  path: "/batch/:id/billet",
  summary: "Alterar um boleto do rascunho ou pagar de novo um que falhou",
  policy: adminOrOperator,
  params: byId,
  stepUp: true,
  /** `confirmations`: see the correction of a transfer. */
  body: boletoInput.extend({ id, confirmations: confirmations.optional() }),
  /** True when the correction waits for another person's approval; the payment is not sent until then. */
  response: boleto.extend({ awaits_approval: z.boolean().optional() }),
});

const inBatch = z.object({ id, billetId: id });

export const removeBoleto = contract({
  id: "removeBoleto",
  base: "payments",
  method: "DELETE",
  path: "/batch/:id/billet/:billetId",
  summary: "Excluir um boleto do rascunho, ou cancelar um agendado: o valor volta ao saldo",
  policy: adminOrOperator,
  idempotent: true,
  params: inBatch,
  response: done,
});

export const refundBoleto = contract({
  id: "refundBoleto",
  base: "payments",
  method: "POST",
  path: "/batch/:id/billet/:billetId/cancel",
  summary: "Devolver ao saldo o valor de um boleto que falhou",
  policy: adminOrOperator,
  idempotent: true,
  params: inBatch,
  response: boleto,
});

export const readBoleto = contract({
  id: "readBoleto",
  base: "payments",
  method: "GET",
  path: "/billet/:id",
  summary: "Um boleto",
  policy: everyProfile,
  params: byId,
  response: boleto,
});

export const readBoletoDetails = contract({
  id: "readBoletoDetails",
  base: "payments",
  method: "GET",
  path: "/billet/:id/details",
  summary: "Detalhes de um boleto",
  policy: everyProfile,
  params: byId,
  response: boleto,
});

export const readDuplicatedBoleto = contract({
  id: "readDuplicatedBoleto",
  base: "payments",
  method: "GET",
  path: "/billet/duplicated",
  summary: "Dizer se um boleto já foi cadastrado em outro pagamento",
  policy: everyProfile,
  query: z.object({ id: id.optional(), barcode: z.string().min(1).max(boletoCodeTypedMax) }),
  /** `batch`: the batch that holds the duplicate, when `isDuplicated` is true. */
  response: z.object({ isDuplicated: z.boolean(), batch: z.object({ id, name: z.string() }).nullable() }),
});

export const readDuplicatedBoletoIntegrationId = contract({
  id: "readDuplicatedBoletoIntegrationId",
  base: "payments",
  method: "GET",
  path: "/billet/:id/duplicatedIntegrationId",
  summary: "Dizer se um ID de integração já foi usado em outro pagamento",
  policy: everyProfile,
  params: z.object({ id: z.string().min(1).max(integrationIdMax) }),
  query: z.object({ except: id.optional() }),
  response: z.object({ isDuplicated: z.boolean() }),
});
