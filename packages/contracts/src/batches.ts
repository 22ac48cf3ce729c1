import { batchStatuses } from "@malote/domain/batch";
import * as z from "zod";
import { billet, boletoInput } from "./boletos.ts";
import { confirmations } from "./checks.ts";
import { contract } from "./contract.ts";
import { adminOnly, adminOrOperator, everyProfile } from "./policy.ts";
import { transfer, transferInput } from "./transfers.ts";
import { byId, centavos, done, id, instant, issue, listMetadata, pageFromZero, rangeQuery } from "./wire.ts";

export const batchTypes = ["TRANSFER", "BILLET"] as const;
export type BatchType = (typeof batchTypes)[number];

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
  /** The sheet it came from, which says how its columns were read. */
  sheet_id: id.nullable(),
  /** Grows with each change of the content; an approval is bound to it (decision 21). */
  revision: z.int(),
  payments_count: z.int(),
  /** Draft rows that still have an error. */
  errors_count: z.int(),
  paid_count: z.int(),
  failed_count: z.int(),
  returned_count: z.int(),
  /** Why it was sent back, while it is a draft again. */
  reprove_reason: z.string().nullable(),
  /** An admin reproved it, or the system found on its way that it may not be paid as it is. */
  sent_back_by: z.enum(["person", "system"]).nullable(),
  /** Why it still waits though its money came: a limit that has no room for it yet. */
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
    /** Of the whole filter, not of the page. */
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
  response: batch.extend({ transfers: z.array(transfer), billets: z.array(billet) }),
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
    /** What the balance lacks to close this batch; 0 when it suffices. */
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
    name: z.string().trim().min(1).max(200),
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
  body: z.object({ name: z.string().trim().min(1).max(200) }),
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
    name: z.string().trim().min(1).max(200),
    /** Only new or changed payments; the ones left out stay as they are. */
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

export const listBilletsWithReceipt = contract({
  id: "listBilletsWithReceipt",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/billetsWithReceipt",
  summary: "Boletos do lote com comprovante para baixar",
  policy: everyProfile,
  params: byId,
  query: z.object({ page: pageFromZero }),
  response: z.object({ data: z.array(billet), metadata: listMetadata }),
});

export const closeBatch = contract({
  id: "closeBatch",
  base: "payments",
  method: "POST",
  path: "/batch/:id/close",
  summary: "Fechar ou aprovar o lote: reserva o saldo e paga, ou espera o saldo",
  policy: adminOnly,
  idempotent: true,
  stepUp: true,
  params: byId,
  /**
   * The revision the person saw; a batch changed meanwhile is refused. An approval must say it (decision 21), closing a
   * draft may leave it out. `confirmations` ticks what the checks ask for, in the name of the caller.
   */
  body: z.object({ revision: z.int().optional(), confirmations: confirmations.optional() }).default({}),
  response: z.object({ is_batch_paid: z.boolean(), status: z.enum(batchStatuses) }),
});

/** One yes: the last one that the company's controls ask for closes the batch; before that it keeps waiting. */
export const approveBatch = contract({
  id: "approveBatch",
  base: "payments",
  method: "POST",
  path: "/batch/:id/approve",
  summary: "Aprovar um lote que aguarda aprovação: a última aprovação que falta o fecha",
  policy: { ...adminOrOperator, machine: false },
  idempotent: true,
  stepUp: true,
  params: byId,
  /** What the person looked at; a batch with another content is refused. */
  body: z.object({
    revision: z.int(),
    digest: z.string().max(200),
    confirmations: confirmations.optional(),
  }),
  response: closeBatch.response,
});

export const readBatchApprovals = contract({
  id: "readBatchApprovals",
  base: "payments",
  method: "GET",
  path: "/batch/:id/approvals",
  summary: "Quem aprovou o lote e quantas aprovações faltam",
  policy: everyProfile,
  params: byId,
  response: z.object({
    needed: z.int(),
    missing: z.int(),
    digest: z.string().nullable(),
    asks_for_code: z.boolean(),
    /** Whoever made or changed it, each with their e-mail: a name is chosen by whoever bears it. */
    prepared_by: z.array(z.string()),
    approvals: z.array(
      z.object({
        name: z.string(),
        at: instant,
        /** False when the person may not approve any more, or the content is another one. */
        counts: z.boolean(),
      }),
    ),
    may_approve: z.boolean(),
    has_approved: z.boolean(),
    /** Why whoever asks may not. */
    why_not: z.string().nullable(),
    /** Nobody is left who could give what is missing. */
    is_stuck: z.boolean(),
  }),
});
export type BatchApprovals = z.infer<typeof readBatchApprovals.response>;

export const sendBatchToApproval = contract({
  id: "sendBatchToApproval",
  base: "payments",
  method: "POST",
  path: "/batch/:id/sendToApproval",
  summary: "Enviar o lote para aprovação",
  policy: adminOrOperator,
  params: byId,
  body: z.object({ revision: z.int().optional(), confirmations: confirmations.optional() }).default({}),
  response: batch,
});

export const reproveBatch = contract({
  id: "reproveBatch",
  base: "payments",
  method: "POST",
  path: "/batch/:id/reprove",
  summary: "Reprovar o lote: ele volta a rascunho e quem criou é avisado",
  policy: adminOnly,
  params: byId,
  body: z.object({ reason: z.string().trim().max(255).optional() }),
  response: batch,
});

export const enableBatchEdit = contract({
  id: "enableBatchEdit",
  base: "payments",
  method: "POST",
  path: "/batch/:id/enableEdit",
  summary: "Voltar o lote para edição",
  policy: adminOnly,
  params: byId,
  response: batch,
});

export const deleteBatch = contract({
  id: "deleteBatch",
  base: "payments",
  method: "DELETE",
  path: "/batch/:id",
  summary: "Excluir um lote em rascunho ou aguardando recebimento",
  policy: adminOrOperator,
  params: byId,
  query: z.object({ removeDestinationBankAccounts: z.enum(["true", "false"]).default("false") }),
  response: done,
});

export const readReceiversToRemove = contract({
  id: "readReceiversToRemove",
  base: "payments",
  method: "GET",
  path: "/batch/:id/hasDestinationBankAccountsToRemove",
  summary: "Dizer se o rascunho trouxe recebedores que podem ser excluídos com ele",
  policy: everyProfile,
  params: byId,
  response: z.object({ data: z.boolean() }),
});

export const cancelScheduledBatch = contract({
  id: "cancelScheduledBatch",
  base: "payments",
  method: "POST",
  path: "/app/batch/:id/cancel_scheduled",
  summary: "Cancelar um lote com todas as transferências agendadas: o valor volta ao saldo",
  policy: adminOrOperator,
  idempotent: true,
  params: byId,
  response: batch,
});

export const setBatchReconciled = contract({
  id: "setBatchReconciled",
  base: "payments",
  method: "PUT",
  path: "/batch/:id/setReconciled",
  summary: "Marcar um lote finalizado como conciliado, ou não",
  policy: adminOrOperator,
  params: byId,
  body: z.object({ reconciled: z.boolean() }),
  response: batch,
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

/**
 * One kind of mistake in a draft, with how many rows share it: what 'corrigir as 37 iguais' acts on. Of boletos only what one
 * answer can be right for is grouped, the day and the description.
 */
export const issueGroup = z.object({
  issue,
  /** What the cell said, when every row of the group said the same; null when each row has its own fix. */
  given: z.string().nullable(),
  /**
   * Whose payments these are, where one answer can only be right for one receiver (account, bank, document, amount …): its
   * document, else its key. Null where it can be right for all, and where each row has its own fix.
   */
  receiver: z.string().nullable(),
  count: z.int(),
  example: z.union([transfer, billet]),
  /** Of its payments as they are now: with another one somebody changed one of them. */
  digest: z.string(),
});

const issueGroupKey = z.object({
  code: z.string().max(60),
  field: z.string().max(60),
  given: z.string().max(500).nullable().default(null),
  receiver: z.string().max(255).nullable().default(null),
});

/** Payments of a group that are looked through and fixed at once. */
const groupRowsMax = 200;

export const listIssueGroups = contract({
  id: "listIssueGroups",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/issues",
  summary: "Erros do rascunho agrupados pelos que se corrigem juntos",
  policy: everyProfile,
  params: byId,
  response: z.object({ data: z.array(issueGroup), rows_count: z.int() }),
});

/** Field → value for all of them. One that belongs to a receiver needs the group of one receiver. */
const fixedValues = z.record(z.string().max(40), z.string().max(255));
/** Needed where each payment takes its own proposed fix: nobody accepts what was not looked at. */
const fixedIds = z.array(id).min(1).max(groupRowsMax);

export const listIssueRows = contract({
  id: "listIssueRows",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/issues/rows",
  summary: "Os primeiros pagamentos de um grupo de erros, cada um com a sua sugestão",
  policy: everyProfile,
  params: byId,
  query: z.object({
    code: z.string().max(60),
    field: z.string().max(60),
    given: z.string().max(500).optional(),
    receiver: z.string().max(255).optional(),
  }),
  /** `digest`: of all of the group, as its fix takes it. */
  response: z.object({ data: z.array(transfer).max(groupRowsMax), count: z.int(), digest: z.string() }),
});

/** Of the group as the person saw it: one that somebody changed meanwhile is refused (`batch_changed`). */
const seenDigest = z.string().max(64).optional();

export const fixIssueGroup = contract({
  id: "fixIssueGroup",
  base: "payments",
  method: "POST",
  path: "/app/batch/:id/issues/fix",
  summary: "Corrigir de uma vez as linhas com o mesmo erro",
  policy: adminOrOperator,
  params: byId,
  /** Only of the payments named, or one value for all of the group. */
  body: z.union([
    issueGroupKey.extend({ ids: fixedIds, set: fixedValues.optional(), digest: seenDigest }),
    issueGroupKey.extend({ ids: fixedIds.optional(), set: fixedValues.optional(), digest: seenDigest }),
  ]),
  response: z.object({ fixed: z.int(), still_wrong: z.int() }),
});

export const downloadBadRows = contract({
  id: "downloadBadRows",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/badRows",
  summary: "Baixar só as linhas com erro, com o motivo",
  policy: everyProfile,
  params: byId,
  query: z.object({ format: z.enum(["xlsx", "csv"]).default("xlsx") }),
  transport: "file",
  response: z.any(),
});
