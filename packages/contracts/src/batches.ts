import { batchStatuses } from "@malote/domain/batch";
import { batchTypes } from "@malote/domain/batch-status";
import { batchNameMax } from "@malote/domain/limits";
import * as z from "zod";
import { boleto, boletoInput } from "./boletos.ts";
import { contract } from "./contract.ts";
import { adminOrOperator, everyProfile } from "./policy.ts";
import { transfer, transferInput } from "./transfers.ts";
import { byId, centavos, id, instant, lineOfText, listMetadata, pageFromZero, rangeQuery } from "./wire.ts";

/** The name of a batch, of bounded length (BAT-004). */
export const batchName = lineOfText().min(1).max(batchNameMax);

export const batch = z.object({
  id,
  name: z.string(),
  type: z.enum(batchTypes),
  status: z.enum(batchStatuses),
  value: centavos,
  created_at: instant,
  created_by: z.object({ id: id.nullable(), name: z.string() }),
  received_date: instant.nullable(),
  finish_date: instant.nullable(),
  returned_date: instant.nullable(),
  reconciled: z.boolean(),
  cancel_requested_at: instant.nullable(),
  is_canceled: z.boolean(),
  was_imported: z.boolean(),
  has_failed_or_returned_transfers: z.boolean(),
  received_bank_account: z.object({ bank: z.string(), agency: z.string(), account: z.string() }).nullable(),
  spreadsheet_file_name: z.string().nullable(),
  /** The imported sheet, with the mapping of its columns. */
  sheet_id: id.nullable(),
  /** Grows with every change of the content; an approval is bound to it (ruling D21). */
  revision: z.int(),
  payments_count: z.int(),
  /** Draft rows that still have an error. */
  errors_count: z.int(),
  paid_count: z.int(),
  failed_count: z.int(),
  returned_count: z.int(),
  /** The reason of the rejection, while the batch is a draft again. */
  reprove_reason: z.string().nullable(),
  /**
   * `person`: an admin rejected it. `system`: the release found that the batch may not be paid in its present state.
   */
  sent_back_by: z.enum(["person", "system"]).nullable(),
  /** The obstacle that money would not remove: a limit without enough room, or a blocked company. */
  waiting_reason: z.string().nullable(),
});
export type Batch = z.infer<typeof batch>;

export const batchFilters = ["DRAFT", "WAITING", "WAITING_APPROVAL", "RECEIVED", "FINISHED"] as const;

export const listBatches = contract({
  id: "listBatches",
  base: "payments",
  method: "GET",
  path: "/app/batch",
  summary: "Lotes criados no período",
  policy: everyProfile,
  query: rangeQuery.extend({
    page: pageFromZero,
    status: z.enum(batchFilters).optional(),
    search: z.string().trim().max(100).optional(),
  }),
  response: z.object({
    data: z.array(batch),
    /** Count and sum over the whole filter, not over the page. */
    summary: z.object({ count: z.int(), value: centavos }),
    metadata: listMetadata,
  }),
});

export const readBatch = contract({
  id: "readBatch",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id",
  summary: "Um lote com os seus primeiros pagamentos",
  policy: everyProfile,
  params: byId,
  response: batch.extend({ transfers: z.array(transfer), billets: z.array(boleto) }),
});

export const readBatchSummary = contract({
  id: "readBatchSummary",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/summary",
  summary: "Totais de um lote por situação e por método",
  policy: everyProfile,
  params: byId,
  response: z.object({
    returned: centavos,
    by_status: z.array(z.object({ status: z.string(), count: z.int(), value: centavos })),
    by_method: z.array(z.object({ payment_method: z.string(), count: z.int(), value: centavos })),
    balance: centavos,
    /** The amount that the balance lacks to close this batch; 0 when it suffices. */
    missing: centavos,
  }),
});

export const createBatch = contract({
  id: "createBatch",
  base: "payments",
  method: "POST",
  path: "/app/batch",
  summary: "Criar um lote em rascunho; com um id já usado devolve o lote existente",
  policy: adminOrOperator,
  body: z.object({
    id: id.optional(),
    name: batchName,
    type: z.enum(batchTypes).default("TRANSFER"),
    transfers: z.array(transferInput).max(500).optional(),
    billets: z.array(boletoInput).max(500).optional(),
  }),
  response: batch,
});

export const renameBatch = contract({
  id: "renameBatch",
  base: "payments",
  method: "PATCH",
  path: "/app/batch/:id",
  summary: "Renomear um lote",
  policy: adminOrOperator,
  params: byId,
  body: z.object({ name: batchName }),
  response: batch,
});

export const saveBatch = contract({
  id: "saveBatch",
  base: "payments",
  method: "PUT",
  path: "/batch/:id",
  summary: "Salvar o rascunho: só o que mudou",
  policy: adminOrOperator,
  params: byId,
  body: z.object({
    name: batchName,
    /** Only new or changed payments; omitted payments stay unchanged. */
    transfers: z.array(transferInput).max(500).default([]),
    billets: z.array(boletoInput).max(500).default([]),
    removed_ids: z.array(id).max(500).default([]),
  }),
  response: batch,
});

export const validateBatch = contract({
  id: "validateBatch",
  base: "payments",
  method: "GET",
  path: "/batch/:id/transfer/validate",
  summary: "Conferir as transferências do lote pelas regras de hoje",
  policy: everyProfile,
  params: byId,
  response: z.object({
    hasTimeError: z.boolean(),
    hasTimeWarning: z.boolean(),
    hasDuplicatedIntegrationId: z.boolean(),
    errors_count: z.int(),
  }),
});

export const readHasFailed = contract({
  id: "readHasFailed",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/hasFailedOrReturnedTransfers",
  summary: "Dizer se o lote tem pagamentos com falha ou devolvidos",
  policy: everyProfile,
  params: byId,
  response: z.object({ data: z.boolean() }),
});

export const requestBatchReport = contract({
  id: "requestBatchReport",
  base: "payments",
  method: "POST",
  path: "/batch/:id/report",
  summary: "Gerar o relatório de pagamentos do lote",
  policy: everyProfile,
  params: byId,
  response: z.object({ url: z.string() }),
});

export const downloadBatchReport = contract({
  id: "downloadBatchReport",
  base: "payments",
  method: "GET",
  path: "/batch/:id/report",
  summary: "Baixar o relatório de pagamentos do lote",
  policy: everyProfile,
  params: byId,
  query: z.object({ format: z.enum(["xlsx", "csv"]).default("xlsx") }),
  transport: "file",
  response: z.any(),
});

export const listTransfersWithReceipt = contract({
  id: "listTransfersWithReceipt",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/transfersWithReceipt",
  summary: "Transferências do lote com comprovante para baixar, 50 por página",
  policy: everyProfile,
  params: byId,
  query: z.object({ page: pageFromZero }),
  response: z.object({ data: z.array(transfer), metadata: listMetadata }),
});

export const listBoletosWithReceipt = contract({
  id: "listBoletosWithReceipt",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/billetsWithReceipt",
  summary: "Boletos do lote com comprovante para baixar",
  policy: everyProfile,
  params: byId,
  query: z.object({ page: pageFromZero }),
  response: z.object({ data: z.array(boleto), metadata: listMetadata }),
});

export const listWaitingBatches = contract({
  id: "listWaitingBatches",
  base: "payments",
  method: "GET",
  path: "/batch/waiting",
  summary: "Lotes aguardando recebimento, do mais antigo ao mais novo",
  policy: everyProfile,
  response: z.object({
    data: z.array(batch),
    total: centavos,
    balance: centavos,
    missing: centavos,
  }),
});

export const readBatchesBlankslate = contract({
  id: "readBatchesBlankslate",
  base: "payments",
  method: "GET",
  path: "/dashboard/hasBlankslate",
  summary: "Dizer se a empresa nunca criou um lote",
  policy: everyProfile,
  response: z.object({ data: z.boolean() }),
});
