/** The life of a batch after its creation: close, approve, send back, cancel, reconcile. */
import { batchStatuses } from "@malote/domain/batch";
import * as z from "zod";
import { batch } from "./batches.ts";
import { confirmations } from "./checks.ts";
import { contract } from "./contract.ts";
import { adminOnly, adminOrOperator, everyProfile } from "./policy.ts";
import { byId, done, instant } from "./wire.ts";

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
   * `revision` is the one the person saw; a batch that changed meanwhile is refused. It is required for an approval
   * (ruling D21) and optional for closing a draft. `confirmations` confirms findings in the caller's name.
   */
  body: z.object({ revision: z.int().optional(), confirmations: confirmations.optional() }).default({}),
  response: z.object({ is_batch_paid: z.boolean(), status: z.enum(batchStatuses) }),
});

/**
 * Adds one approval. The last approval that the company's controls demand closes the batch; until then it keeps
 * waiting.
 */
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
  /** The content that the person saw; a batch with other content is refused. */
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
    /** Names of the preparers, each with the e-mail address, because people choose their names themselves. */
    prepared_by: z.array(z.string()),
    approvals: z.array(
      z.object({
        name: z.string(),
        at: instant,
        /** False when the person may no longer approve, or when the content has changed. */
        counts: z.boolean(),
      }),
    ),
    may_approve: z.boolean(),
    has_approved: z.boolean(),
    /** The reason why the caller may not approve. */
    why_not: z.string().nullable(),
    /** True when the remaining approvers cannot complete the approval. */
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

export const rejectBatch = contract({
  id: "rejectBatch",
  base: "payments",
  method: "POST",
  path: "/batch/:id/reprove",
  summary: "Reprovar o lote: ele volta a rascunho e quem criou é avisado",
  policy: adminOrOperator,
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
  query: z.object({
    removeDestinationBankAccounts: z.enum(["true", "false"]).default("false"),
    /** The revision to delete; a batch with another revision is kept, and the call fails with `batch_changed`. */
    revision: z.coerce.number().int().optional(),
  }),
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
