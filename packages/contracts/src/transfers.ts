import { accountTypes } from "@malote/domain/bank-account";
import { markOrigins } from "@malote/domain/data-marks";
import { paymentStatuses } from "@malote/domain/payment-status";
import { pixKeyTypes } from "@malote/domain/pix-key";
import * as z from "zod";
import { confirmations } from "./checks.ts";
import { contract } from "./contract.ts";
import { keyHolder } from "./key-holder.ts";
import { emvData } from "./pix-code.ts";
import { adminOrOperator, everyProfile } from "./policy.ts";
import {
  bank,
  byId,
  centavos,
  date,
  done,
  id,
  instant,
  issue,
  listMetadata,
  pageFromZero,
  rangeQuery,
} from "./wire.ts";

const text = (max: number) => z.string().max(max);

/** A destination bank account or Pix key (TRF-005). `bank_id` is the bank's ISPB. */
export const destinationInput = z.object({
  name: text(255).nullish(),
  cpf_cnpj: text(25).nullish(),
  email: text(255).nullish(),
  bank_id: text(8).nullish(),
  agency: text(30).nullish(),
  agency_digit: text(10).nullish(),
  account_type: z.enum(accountTypes).nullish(),
  account: text(30).nullish(),
  account_digit: text(10).nullish(),
  pix_key: text(255).nullish(),
  pix_key_type: z.enum(pixKeyTypes).nullish(),
});
export type DestinationInput = z.infer<typeof destinationInput>;

/**
 * Input for saving a payment (TRF-002). The domain checks the rules, not this shape: a draft may hold errors, and each
 * returns as an issue beside its field.
 */
export const transferInput = z.object({
  id: id.optional(),
  value: centavos.min(0).nullable(),
  integration_id: text(255).nullish(),
  destination_bank_account: destinationInput,
  payment_date: date.nullish(),
  pix_key_validation: z.object({ cpf_cnpj: text(25).nullish() }).nullish(),
  pix_description: text(2000).nullish(),
  /** A Pix code (copia e cola) with its payee; when it is omitted from a change, the payment keeps its code. */
  emv: text(2000).nullish(),
});
export type TransferInput = z.infer<typeof transferInput>;

export const destination = z.object({
  id,
  name: z.string().nullable(),
  cpf_cnpj: z.string().nullable(),
  email: z.string().nullable(),
  bank_id: z.string().nullable(),
  agency: z.string().nullable(),
  agency_digit: z.string().nullable(),
  account_type: z.string().nullable(),
  account: z.string().nullable(),
  account_digit: z.string().nullable(),
  pix_key: z.string().nullable(),
  pix_key_type: z.enum(pixKeyTypes).nullable(),
  status: z.string().nullable(),
  status_description: z.string().nullable(),
  Bank: bank.nullable(),
});

export const transferMethods = ["PIX", "TED", "TEV"] as const;

/** A value that was not entered for this payment alone: the value before, the current value, and who changed it. */
export const dataMark = z.object({
  field: z.string(),
  origin: z.enum(markOrigins),
  before: z.string().nullable(),
  after: z.string().nullable(),
  by: z.object({ id, name: z.string() }).nullable(),
  at: instant,
});

export const transfer = z.object({
  id,
  batch_id: id,
  value: centavos.nullable(),
  integration_id: z.string().nullable(),
  payment_method: z.enum(transferMethods),
  pix_description: z.string().nullable(),
  payment_date: date.nullable(),
  destination_bank_account: destination,
  /** Name of the key's holder by the last lookup, for a payment by key without a name. */
  key_holder_name: z.string().nullable().optional(),
  pix_key_validation: z.object({ cpf_cnpj: z.string().nullable() }).nullable(),
  status: z.enum(paymentStatuses),
  status_description: z.string().nullable(),
  created_at: instant,
  transfer_date: instant.nullable(),
  returned_date: instant.nullable(),
  end_to_end_id: z.string().nullable(),
  refunds: z.array(
    z.object({
      id: z.string(),
      amount: centavos,
      settled_at: instant,
      authorization_code: z.string().nullable(),
    }),
  ),
  emv: z.string().nullable(),
  emv_data: emvData.nullable(),
  bank_receipt_url: z.string().nullable(),
  receipt_url: z.string().nullable(),
  /** Errors by the current rules; empty when the payment may be closed. */
  errors: z.array(issue),
  warnings: z.array(issue),
  /** The sheet row of an imported payment: the row number that the person sees, and the original cells. */
  sheet_row: z.int().nullable(),
  sheet_cells: z.record(z.string(), z.string()).nullable(),
  /** Marks of an unsent payment: values that were guessed, proposed, corrected in bulk, or typed over the sheet's. */
  data_marks: z.array(dataMark),
});
export type Transfer = z.infer<typeof transfer>;

/** The filters of TRF-009, with the two that a draft needs. */
export const transferFilters = [
  "CREATED",
  "SCHEDULED",
  "RECEIVED",
  "TRANSFERRED",
  "FAILED",
  "RETURNED",
  "WITH_ERRORS",
  "WITH_WARNINGS",
] as const;

export const listTransfers = contract({
  id: "listTransfers",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/transfer",
  summary: "Transferências de um lote, 50 por página",
  policy: everyProfile,
  params: byId,
  query: z.object({
    page: z.coerce.number().int().min(0).max(2_000).default(0),
    status: z.enum(transferFilters).optional(),
    search: z.string().trim().max(100).optional(),
  }),
  response: z.object({
    data: z.array(transfer),
    metadata: z.object({ pagination: z.object({ itemsPerPage: z.int(), totalItems: z.int() }) }),
    is_all_transfers_scheduled: z.boolean(),
    /** Summary of all failed payments; `ids` holds the first 500, and `listFailedTransferIds` returns all. */
    failedTransfersSummary: z.object({ count: z.int(), value: centavos, ids: z.array(id) }),
  }),
});

export const listFailedTransferIds = contract({
  id: "listFailedTransferIds",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/transfer/failedIds",
  summary: "Identificadores e soma de todos os pagamentos com falha de um lote, transferências ou boletos",
  policy: everyProfile,
  params: byId,
  response: z.object({ ids: z.array(id), value: centavos }),
});

/** Statuses that the list filters by (TRF-009). */
export const transferPageFilters = [
  "CREATED",
  "SCHEDULED",
  "RECEIVED",
  "TRANSFERRED",
  "FAILED",
  "RETURNED",
] as const;
export type TransferPageFilter = (typeof transferPageFilters)[number];

/**
 * Parameters of a list over all batches. A payment belongs to the day on which its batch was created (decision 0023).
 */
export const paymentsQuery = rangeQuery.extend({
  search: z.string().trim().max(100).optional(),
  /** The bank's ISPB. */
  bankId: text(8).optional(),
});
const transfersQuery = paymentsQuery.extend({ status: z.enum(transferPageFilters).optional() });

export const listedTransfer = transfer.extend({ Batch: z.object({ id, name: z.string() }) });
export type ListedTransfer = z.infer<typeof listedTransfer>;

export const listAllTransfers = contract({
  id: "listAllTransfers",
  base: "payments",
  method: "GET",
  path: "/transfer",
  summary: "Transferências de todos os lotes criados no período",
  policy: everyProfile,
  query: transfersQuery.extend({ page: pageFromZero }),
  response: z.object({ data: z.array(listedTransfer), metadata: listMetadata }),
});

export const readTransfersBlankslate = contract({
  id: "readTransfersBlankslate",
  base: "payments",
  method: "GET",
  path: "/transfer/hasBlankslate",
  summary: "Dizer se a empresa ainda não tem transferências",
  policy: everyProfile,
  response: z.object({ data: z.boolean() }),
});

/** Payments with a receipt in the order of the list, for a receipt request. */
export const paymentsWithReceipt = z.object({ data: z.array(z.object({ id, value: centavos })) });

export const listTransfersWithReceipts = contract({
  id: "listTransfersWithReceipts",
  base: "payments",
  method: "GET",
  path: "/app/transfer/withReceipts",
  summary: "Transferências do filtro que têm comprovante",
  policy: everyProfile,
  query: transfersQuery,
  response: paymentsWithReceipt,
});

const inBatch = z.object({ id, tid: id });

export const addTransfer = contract({
  id: "addTransfer",
  base: "payments",
  method: "POST",
  path: "/app/batch/:id/transfer",
  summary: "Incluir uma transferência no lote",
  policy: adminOrOperator,
  params: byId,
  body: transferInput,
  response: transfer,
});

export const changeTransfer = contract({
  id: "changeTransfer",
  base: "payments",
  method: "PUT",
  path: "/app/batch/:id/transfer/:tid",
  summary: "Alterar uma transferência do rascunho ou corrigir uma que falhou",
  policy: adminOrOperator,
  params: inBatch,
  stepUp: true,
  /** `confirmations`: confirmations of a correction's findings, which it needs before it is sent. */
  body: transferInput.extend({ confirmations: confirmations.optional() }),
  /** True when the correction waits for another person's approval; the payment is not sent until then. */
  response: transfer.extend({ awaits_approval: z.boolean().optional() }),
});

export const removeTransfer = contract({
  id: "removeTransfer",
  base: "payments",
  method: "DELETE",
  path: "/batch/:id/transfer/:tid",
  summary: "Excluir uma transferência do rascunho",
  policy: adminOrOperator,
  params: inBatch,
  response: done,
});

export const removeTransfers = contract({
  id: "removeTransfers",
  base: "payments",
  method: "POST",
  path: "/app/batch/:id/transfer/removeMany",
  summary: "Excluir do rascunho os pagamentos com falha ou erro, transferências ou boletos",
  policy: adminOrOperator,
  params: byId,
  body: z.object({ ids: z.array(id).min(1).max(100_000) }),
  bodyBytesMax: 5_000_000,
  response: z.object({ removed: z.int() }),
});

export const refundTransfer = contract({
  id: "refundTransfer",
  base: "payments",
  method: "POST",
  path: "/batch/:id/transfer/:tid/cancel",
  summary: "Devolver ao saldo o valor de uma transferência que falhou",
  policy: adminOrOperator,
  idempotent: true,
  params: inBatch,
  response: transfer,
});

export const listFailedOfReceiver = contract({
  id: "listFailedOfReceiver",
  base: "payments",
  method: "GET",
  path: "/batch/:id/destinationBankAccount/:dbaId/failedTransfers",
  summary: "Transferências com falha de um recebedor no lote",
  policy: everyProfile,
  params: z.object({ id, dbaId: id }),
  response: z.object({ data: z.array(transfer) }),
});

export const readTransfer = contract({
  id: "readTransfer",
  base: "payments",
  method: "GET",
  path: "/app/transfer/:id/details",
  summary: "Detalhes de uma transferência",
  policy: everyProfile,
  params: byId,
  response: listedTransfer.extend({
    /** The holder of its key at the last directory lookup; the call makes no new lookup. */
    key_holder: keyHolder.nullable(),
  }),
});
export type TransferDetails = z.infer<typeof readTransfer.response>;

export const readDuplicatedIntegrationId = contract({
  id: "readDuplicatedIntegrationId",
  base: "payments",
  method: "GET",
  path: "/transfer/:id/duplicatedIntegrationId",
  summary: "Dizer se um ID de integração já foi usado em outra transferência",
  policy: everyProfile,
  params: z.object({ id: z.string().min(1).max(255) }),
  query: z.object({ except: id.optional() }),
  response: z.object({ isDuplicated: z.boolean() }),
});

export const readBlacklist = contract({
  id: "readBlacklist",
  base: "payments",
  method: "GET",
  path: "/cpfcnpj/blacklist",
  summary: "CPFs e CNPJs bloqueados",
  policy: everyProfile,
  response: z.object({ data: z.array(z.string()) }),
});
