import type { Transfer } from "@malote/contracts/transfers";
import { type Issue, issueFieldText } from "@malote/domain/issues";
import type { PaymentStatus } from "@malote/domain/payment-status";
import type { NamedLook } from "../ui/status-pill.tsx";

const inProgress: NamedLook = { name: "Em processamento", color: "green", shape: "spinner" };
const paid: NamedLook = { name: "Transferida", color: "blue", shape: "check" };

/** TRF-007, with the icon shown beside the colour. */
export const transferLooks: Readonly<Record<PaymentStatus, NamedLook>> = {
  CREATED: { name: "Criada", color: "grey", shape: "ring" },
  RECEIVED: inProgress,
  SCHEDULED: { name: "Agendado", color: "blue", shape: "ring" },
  EXECUTING: inProgress,
  EM_REMESSA: inProgress,
  TRANSFERRED: paid,
  FINISHED: paid,
  FAILED: { name: "Falha", color: "red", shape: "dash" },
  FAILED_INTERNAL: inProgress,
  BEING_RETURNED: { name: "Em devolução", color: "yellow", shape: "spinner" },
  RETURNED: { name: "Devolvida", color: "red", shape: "dash" },
  REQUESTED_REFUND: { name: "A devolver", color: "yellow", shape: "dot" },
};

/** TRF-008: warning state of a card. */
const warned: NamedLook = { name: "Alerta", color: "yellow", shape: "dot" };

export type CardState = "failed" | "returned" | "warning" | "plain";

/** True for an unsent payment whose receiver did not get the last one. */
const isToFailed = ({
  status,
  destination_bank_account: to,
}: Pick<Transfer, "status" | "destination_bank_account">) => status === "CREATED" && to.status === "FAILED";

/** TRF-010: failed, returned or warning, in that order. */
export function cardState(
  transfer: Pick<Transfer, "status" | "errors" | "warnings" | "destination_bank_account">,
): CardState {
  if (transfer.errors.length > 0 || transfer.status === "FAILED" || isToFailed(transfer)) return "failed";
  if (transfer.status === "RETURNED") return "returned";
  return transfer.warnings.length > 0 ? "warning" : "plain";
}

/** Text of the pill: the first wrong field of a draft, else the status. */
export function lookOfTransfer(transfer: Transfer): NamedLook {
  const [mistake] = transfer.errors;
  if (mistake) {
    const name = issueFieldText(mistake as Issue, transfer.destination_bank_account.cpf_cnpj);
    return { name, color: "red", shape: "dash" };
  }
  if (isToFailed(transfer)) return { name: "Recebedor com falha", color: "red", shape: "dash" };
  if (transfer.status === "CREATED" && transfer.warnings.length > 0) return warned;
  return transferLooks[transfer.status];
}

const reasonStatuses: ReadonlySet<PaymentStatus> = new Set([
  "FAILED",
  "RETURNED",
  "BEING_RETURNED",
  "REQUESTED_REFUND",
]);

/** TRF-011: the bank's reason for a payment that failed. */
export function failReason(transfer: Transfer): string | null {
  if (!reasonStatuses.has(transfer.status) && !isToFailed(transfer)) return null;
  return transfer.status_description ?? transfer.destination_bank_account.status_description;
}
