import type { Boleto, boletoFilters } from "@malote/contracts/boletos";
import type { BoletoStatus } from "@malote/domain/boleto";
import { type Issue, issueFormText, issueText } from "@malote/domain/issues";
import type { NamedLook } from "../ui/status-pill.tsx";

const inProgress: NamedLook = { name: "Em processamento", color: "green", shape: "spinner" };
const paid: NamedLook = { name: "Pago", color: "blue", shape: "check" };

/** BIL-004, with the icon shown beside the colour. */
export const boletoLooks: Readonly<Record<BoletoStatus, NamedLook>> = {
  CREATED: { name: "Criado", color: "grey", shape: "ring" },
  SCHEDULED: { name: "Agendado", color: "green", shape: "ring" },
  EXECUTING: inProgress,
  EM_REMESSA: inProgress,
  FAILED_INTERNAL: inProgress,
  PAID: paid,
  FINISHED: paid,
  FAILED: { name: "Falha", color: "red", shape: "dash" },
  RETURNED: { name: "Devolvido", color: "yellow", shape: "dash" },
};

/** Text of the pill: the status alone (BIL-004). A draft's error has a line of its own. */
export const lookOfBoleto = ({ status }: Pick<Boleto, "status">): NamedLook => boletoLooks[status];

export const hasFailed = ({ errors, status }: Pick<Boleto, "errors" | "status">): boolean =>
  errors.length > 0 || status === "FAILED";

/** BIL-006: the bank's reason for a boleto that was not paid, without tags. */
export function failReason(boleto: Pick<Boleto, "status" | "status_description">): string | null {
  if (boleto.status !== "FAILED" && boleto.status !== "RETURNED") return null;
  const words = boleto.status_description
    ?.replace(/<\/?[a-z][^>]*>/gi, " ")
    .replace(/\s+/g, " ")
    .trim();
  return words || null;
}

/** Text that a pill cannot hold: the bank's reason, the detail of a mistake, the warning of a draft. */
export function noteOf(boleto: Boleto): string | undefined {
  const reason = failReason(boleto);
  if (reason) return reason;
  const [mistake] = boleto.errors as Issue[];
  if (mistake) {
    const [text, detail] = [issueText(mistake), issueFormText(mistake)];
    return detail === text ? text : `${text}. ${detail}`;
  }
  const [warning] = boleto.warnings as Issue[];
  return warning && boleto.status === "CREATED" ? issueText(warning) : undefined;
}

/** BIL-027: only paid boletos have a receipt. */
export const hasReceipt = ({ status }: Pick<Boleto, "status">): boolean =>
  status === "PAID" || status === "FINISHED";

export type BoletoFilter = (typeof boletoFilters)[number];
