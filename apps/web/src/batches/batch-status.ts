import type { Batch } from "@malote/contracts/batches";
import type { BatchStatus } from "@malote/domain/batch";
import type { NamedLook } from "../ui/status-pill.tsx";

/** Names and colours of BAT-006 and BAT-007, with the icon shown beside the colour. */
export const statusLooks: Readonly<Record<BatchStatus, NamedLook>> = {
  DRAFT: { name: "Rascunho", color: "grey", shape: "ring" },
  VALIDATING: { name: "Validando", color: "grey", shape: "spinner" },
  PENDING: { name: "Fechando lote", color: "white", shape: "spinner" },
  WAITING_APPROVAL: { name: "Aguardando aprovação", color: "red", shape: "dot" },
  WAITING: { name: "Aguardando recebimento", color: "yellow", shape: "dot" },
  RECEIVED: { name: "Recebido", color: "green", shape: "dot" },
  FINISHED: { name: "Finalizado", color: "blue", shape: "check" },
  RETURNED: { name: "Devolvido", color: "yellow", shape: "dash" },
  REMOVED: { name: "Removido", color: "red", shape: "dash" },
};

/** Nouns for the payments of a batch: `counted(…, ...paymentWords(batch))`. */
export const paymentWords = ({ type }: Pick<Batch, "type">): [one: string, many: string] =>
  type === "BILLET" ? ["boleto", "boletos"] : ["transferência", "transferências"];

/** Statuses of daily work, in the order of a batch's life (BAT-016). */
export const legend: readonly BatchStatus[] = [
  "DRAFT",
  "WAITING_APPROVAL",
  "WAITING",
  "RECEIVED",
  "FINISHED",
  "RETURNED",
];

/** Text of a card: a cancellation takes precedence over the status (BAT-009). */
export function lookOf(batch: Pick<Batch, "status" | "is_canceled" | "cancel_requested_at">): NamedLook {
  if (batch.is_canceled) return { name: "Cancelado", color: "grey", shape: "dash" };
  if (batch.cancel_requested_at && batch.status !== "FINISHED") {
    return { name: "Cancelando", color: "grey", shape: "spinner" };
  }
  return statusLooks[batch.status];
}
