import type { Boleto } from "@malote/contracts/boletos";
import { formatBoletoLine } from "@malote/domain/boleto-code";
import { formatDate, formatMoney } from "../ui/format.ts";

/** BIL-020: zeros stand for a missing due date. */
export const dueText = (dueDate: string | null): string => (dueDate ? formatDate(dueDate) : "00/00/0000");

/** The line as the boleto prints it; a wrong code as it was typed. */
export const lineText = ({ barcode }: Pick<Boleto, "barcode">): string =>
  barcode ? formatBoletoLine(barcode) : "Sem linha digitável";

/** What a person calls it by. */
export const boletoName = ({ description }: Pick<Boleto, "description">): string =>
  description || "Boleto sem descrição";

/** Whom the code names, as far as a code does. */
export function issuerText({ type, bank }: Pick<Boleto, "type" | "bank">): string | null {
  if (type === "COLLECTION") return "Concessionária ou tributo";
  return bank && [bank.code, bank.name].filter(Boolean).join(" · ");
}

/** The day it goes out, or went; no day is today, or the next business day where today is over for boletos. */
export const payDayText = ({ scheduled_for, payment_date, warnings }: Boleto): string => {
  const day = scheduled_for ?? payment_date;
  const later = warnings.find(({ code }) => code === "billet_next_business_day");
  return day ? formatDate(day) : String(later?.data?.["date"] ?? "Hoje");
};

/** `paga 27/11/2026 · vence 30/11/2026`; of what failed or was given back its due date alone. */
export function daysText(boleto: Boleto): string {
  const due = `vence ${dueText(boleto.due_date)}`;
  if (boleto.status === "FAILED" || boleto.status === "RETURNED") return due;
  const day = boleto.paid_date ? formatDate(boleto.paid_date) : payDayText(boleto).replace("Hoje", "hoje");
  return `paga ${day} · ${due}`;
}

/** Whom the register says it pays. */
export const beneficiaryName = ({ register }: Pick<Boleto, "register">): string | null =>
  register?.beneficiary?.name ?? null;

/** Why it costs another amount than was registered, on the day it is paid: 'desconto de R$ 50,00 até 27/11/2026'. */
export function priceText({ register, value }: Pick<Boleto, "register" | "value">): string | undefined {
  const price = register?.on_day;
  // One that was paid on another day cost what it cost then.
  if (!price || price.total !== value) return undefined;
  const part = (name: string, cents: number, until = "") =>
    cents > 0 ? [`${name} de ${formatMoney(cents)}${until}`] : [];
  const parts = [
    ...part("desconto", price.discount, price.until ? ` até ${formatDate(price.until)}` : ""),
    ...part("abatimento", price.abatement),
    ...part("multa", price.fine),
    ...part("juros", price.interest),
  ];
  if (parts.length === 0) return undefined;
  return `Valor registrado ${formatMoney(register?.value ?? 0)}: ${parts.join(", ")}`;
}
