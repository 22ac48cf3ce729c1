import type { Billet } from "@malote/contracts/billets";
import { formatBilletLine } from "@malote/domain/billet-code";
import { formatDate } from "../ui/format.ts";

/** BIL-020. */
export const dueText = (dueDate: string | null): string => (dueDate ? formatDate(dueDate) : "00/00/0000");

/** The line as the boleto prints it; a wrong code as it was typed. */
export const lineText = ({ barcode }: Pick<Billet, "barcode">): string =>
  barcode ? formatBilletLine(barcode) : "Sem linha digitável";

/** What a person calls it by. */
export const billetName = ({ description }: Pick<Billet, "description">): string =>
  description || "Boleto sem descrição";

/** Whom the code names, as far as a code does. */
export function issuerText({ type, bank }: Pick<Billet, "type" | "bank">): string | null {
  if (type === "COLLECTION") return "Concessionária ou tributo";
  return bank && [bank.code, bank.name].filter(Boolean).join(" · ");
}

/** The day it goes out, or went; no day is today. */
export const payDayText = ({ scheduled_for, payment_date }: Billet): string => {
  const day = scheduled_for ?? payment_date;
  return day ? formatDate(day) : "Hoje";
};
