import type { Boleto } from "@malote/contracts/boletos";
import { formatBoletoLine } from "@malote/domain/boleto-code";
import { formatDate, formatMoney } from "../ui/format.ts";

/** BIL-020: zeros stand for a missing due date. */
export const dueText = (dueDate: string | null): string => (dueDate ? formatDate(dueDate) : "00/00/0000");

/** Returns the line as the boleto prints it; a wrong code as it was typed. */
export const lineText = ({ barcode }: Pick<Boleto, "barcode">): string =>
  barcode ? formatBoletoLine(barcode) : "Sem linha digitável";

/** Name of a boleto for people: its description. */
export const boletoName = ({ description }: Pick<Boleto, "description">): string =>
  description || "Boleto sem descrição";

/** Names the issuer as far as the code shows it. */
export function issuerText({ type, bank }: Pick<Boleto, "type" | "bank">): string | null {
  if (type === "COLLECTION") return "Concessionária ou tributo";
  return bank && [bank.code, bank.name].filter(Boolean).join(" · ");
}

/**
 * Day on which it is paid or was paid. No date means today, or the next business day once today's cut-off for boletos
 * has passed.
 */
export const payDayText = ({ scheduled_for, payment_date, warnings }: Boleto): string => {
  const day = scheduled_for ?? payment_date;
  const later = warnings.find(({ code }) => code === "billet_next_business_day");
  return day ? formatDate(day) : String(later?.data?.["date"] ?? "Hoje");
};

/** Returns `paga 27/11/2026 · vence 30/11/2026`; for a failed or returned boleto only the due date. */
export function daysText(boleto: Boleto): string {
  const due = `vence ${dueText(boleto.due_date)}`;
  if (boleto.status === "FAILED" || boleto.status === "RETURNED") return due;
  const day = boleto.paid_date ? formatDate(boleto.paid_date) : payDayText(boleto).replace("Hoje", "hoje");
  return `paga ${day} · ${due}`;
}

/** Payee according to the register. */
export const beneficiaryName = ({ register }: Pick<Boleto, "register">): string | null =>
  register?.beneficiary?.name ?? null;

/**
 * Explains why the amount on the payment day differs from the registered one: 'desconto de R$ 50,00 até 27/11/2026'.
 */
export function priceText({ register, value }: Pick<Boleto, "register" | "value">): string | undefined {
  const price = register?.on_day;
  // A boleto that was already paid keeps the amount of that day.
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
