import type { ApprovalRequest } from "@malote/contracts/controls";
import type { NamedLook } from "../ui/status-pill.tsx";

export const requestLooks: Readonly<Record<ApprovalRequest["status"], NamedLook>> = {
  pending: { name: "Aguardando aprovação", color: "yellow", shape: "ring" },
  approved: { name: "Aprovado", color: "green", shape: "check" },
  rejected: { name: "Recusado", color: "red", shape: "dash" },
  cancelled: { name: "Cancelado por quem pediu", color: "grey", shape: "dash" },
  expired: { name: "Vencido", color: "grey", shape: "dash" },
  obsolete: { name: "Encerrado", color: "grey", shape: "dash" },
};

export const approversText = (count: number): string =>
  count === 0 ? "Ninguém mais" : count === 1 ? "1 aprovador" : `${count} aprovadores`;
