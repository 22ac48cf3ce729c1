import type { Invoice } from "@malote/contracts/billing";
import type { NamedLook } from "../ui/status-pill.tsx";

/** Month that is charged, as `10/2026`. */
export const competenceOf = ({
  billing_period_start: month,
}: Pick<Invoice, "billing_period_start">): string => `${month.slice(5, 7)}/${month.slice(0, 4)}`;

const late: NamedLook = { name: "Em atraso", color: "red", shape: "dash" };

/** COM-028: name and colour of each invoice status. */
export const statusLooks: Readonly<Record<Invoice["status"], NamedLook>> = {
  paid: { name: "Paga", color: "blue", shape: "check" },
  open: { name: "Em aberto", color: "yellow", shape: "ring" },
  overdue: late,
  protested: late,
};
