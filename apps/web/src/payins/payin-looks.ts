import type { PayinTotal } from "@malote/contracts/payins";
import { type PayinStatus, payinTypes } from "@malote/domain/payin";
import { payinStatusNames, payinTypeNames } from "@malote/domain/payin-names";
import type { PillLook } from "../ui/status-pill.tsx";

/** PAY-012: colours with the same meaning as in card receivables (CRD-007). */
export const payinLooks: Readonly<Record<PayinStatus, PillLook>> = {
  pending: { color: "yellow", shape: "ring" },
  active: { color: "blue", shape: "dot" },
  authorized: { color: "yellow", shape: "dot" },
  unauthorized: { color: "red", shape: "dash" },
  received: { color: "green", shape: "check" },
  blocked: { color: "red", shape: "dot" },
  refunding: { color: "white", shape: "spinner" },
  partially_refunded: { color: "red", shape: "ring" },
  refunded: { color: "red", shape: "ring" },
  rejected: { color: "white", shape: "spinner" },
  canceled: { color: "grey", shape: "dash" },
  canceled_by_user: { color: "grey", shape: "dash" },
  canceled_by_psp: { color: "grey", shape: "dash" },
  expired: { color: "grey", shape: "ring" },
};

/** Choices of the filter: a status that shares another's name is filtered with that one (PAY-014). */
const offered = [
  "received",
  "authorized",
  "pending",
  "refunding",
  "refunded",
  "blocked",
  "canceled",
  "unauthorized",
  "expired",
  "active",
] as const satisfies readonly PayinStatus[];
export const statusOptions = offered.map((value) => ({ value, label: payinStatusNames[value] }));
export const typeOptions = payinTypes.map((value) => ({ value, label: payinTypeNames[value] }));

/** PAY-017, in the order of the cards. */
export const totalNames = [
  ["received", "Recebido"],
  ["authorized", "A receber"],
  ["pending", "Pendente"],
  ["blocked", "Bloqueado"],
  ["refunded", "Devolvido"],
  ["canceled", "Cancelado"],
  ["unauthorized", "Negado"],
  ["expired", "Expirado"],
] as const satisfies readonly (readonly [PayinTotal, string])[];
