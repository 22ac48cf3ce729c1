/** Form of the payer and its errors, by the server's own rules, applied before anything is sent. */

import { parseDate } from "@malote/domain/calendar";
import { isCardInTime, isCardNumber, isSecurityCode, readExpiry } from "@malote/domain/card";
import { cents } from "@malote/domain/money";
import { instalmentsOf, type LinkMethod } from "@malote/domain/payment-link";
import { isFullName } from "@malote/domain/person-name";
import { taxIdKind } from "@malote/domain/tax-id";
import { formatMoney, todayIn } from "../ui/format.ts";
import { systemNow } from "../ui/system-time.ts";
import type { Payment } from "./api.ts";

export interface PayerForm {
  name: string;
  taxId: string;
}
export const emptyPayer: PayerForm = { name: "", taxId: "" };

export interface CardForm {
  number: string;
  holder: string;
  expiry: string;
  securityCode: string;
  installments: number;
}
export const emptyCard: CardForm = { number: "", holder: "", expiry: "", securityCode: "", installments: 1 };

export type PaymentField = "name" | "taxId" | "number" | "holder" | "expiry" | "securityCode";
export type PaymentProblems = Partial<Record<PaymentField, string>>;

export const fieldIds: Readonly<Record<PaymentField, string>> = {
  name: "nome",
  taxId: "documento",
  number: "cartao",
  holder: "titular",
  expiry: "validade",
  securityCode: "codigo",
};

export function problemsOf(
  method: LinkMethod,
  payer: PayerForm,
  card: CardForm,
  now: Date = systemNow(),
): PaymentProblems {
  return {
    ...payerProblems(payer),
    ...(method === "credit_card" && cardProblems(card, now)),
  };
}

function payerProblems({ name, taxId }: PayerForm): PaymentProblems {
  const kind = taxIdKind(taxId);
  const isName = kind === "CNPJ" ? name.trim().length >= 2 : isFullName(name);
  return {
    ...(!isName && { name: "Digite seu nome completo" }),
    ...(!kind && {
      taxId: taxId.trim() ? "Confira o CPF ou CNPJ: há um número errado" : "Digite seu CPF ou CNPJ",
    }),
  };
}

function cardProblems(card: CardForm, now: Date): PaymentProblems {
  const expiry = readExpiry(card.expiry);
  const today = parseDate(todayIn(now));
  const isInTime = expiry !== undefined && today !== undefined && isCardInTime(expiry, today);
  return {
    ...(!isCardNumber(card.number) && { number: "Confira o número do cartão" }),
    ...(card.holder.trim().length < 2 && { holder: "Digite o nome como está no cartão" }),
    ...(!isInTime && { expiry: expiry ? "Este cartão está vencido" : "Digite a validade, como 09/29" }),
    ...(!isSecurityCode(card.securityCode, card.number) && {
      securityCode: "Confira o código de segurança",
    }),
  };
}

/**
 * Returns `À vista` or `3x de R$ 10,00`; with leftover centavos `1ª de R$ 33,34 e 2 de R$ 33,33`, or several first
 * ones.
 */
export function installmentText(amount: number, count: number): string {
  if (count === 1) return `À vista, ${formatMoney(amount)}`;
  const { first, firstCount, others } = instalmentsOf(cents(amount), count);
  if (first === others) return `${count}x de ${formatMoney(first)} sem juros`;
  const begin = firstCount === 1 ? "1ª" : `${firstCount} primeiras`;
  return `${count}x sem juros: ${begin} de ${formatMoney(first)} e ${count - firstCount} de ${formatMoney(others)}`;
}

export function bodyOf(id: string, method: LinkMethod, payer: PayerForm, card: CardForm): Payment {
  const common = { id, payer: { name: payer.name.trim(), cpf_cnpj: payer.taxId.trim() } };
  if (method !== "credit_card") return { ...common, payment_method: method };
  return {
    ...common,
    payment_method: method,
    installments: card.installments,
    card: {
      number: card.number,
      holder_name: card.holder.trim(),
      expiry: card.expiry,
      security_code: card.securityCode,
    },
  };
}
