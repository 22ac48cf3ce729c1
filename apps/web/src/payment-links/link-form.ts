/** What the form holds, what is wrong with it, and the call it becomes (LNK-012 to LNK-022). */
import type { BodyOf } from "@malote/contracts/contract";
import { errorText } from "@malote/contracts/errors";
import type { createPaymentLink } from "@malote/contracts/payment-links";
import { parseDate } from "@malote/domain/calendar";
import { cents } from "@malote/domain/money";
import {
  boletoDueDays,
  endOfLink,
  instalmentsMaxFor,
  instalmentsOf,
  type LinkMethod,
  linkAmountMax,
  linkMethods,
} from "@malote/domain/payment-link";
import { formatMoney, todayIn } from "../ui/format.ts";

export interface LinkForm {
  name: string;
  amount: number | null;
  expirationDate: string | null;
  description: string;
  paymentMethods: readonly LinkMethod[];
  /** As typed. */
  boletoExpirationDays: string;
  installments: number;
}
export type LinkField = keyof LinkForm;

export const emptyLinkForm: LinkForm = {
  name: "",
  amount: null,
  expirationDate: null,
  description: "",
  paymentMethods: [],
  boletoExpirationDays: "1",
  installments: 1,
};

export const fieldIds: Readonly<Record<LinkField, string>> = {
  name: "nome",
  amount: "valor",
  expirationDate: "expiracao",
  description: "descricao",
  paymentMethods: "metodos",
  boletoExpirationDays: "dias-do-boleto",
  installments: "parcelas",
};

export type LinkProblems = Partial<Record<LinkField, string>>;

export function problemsOf(form: LinkForm, now: Date = new Date()): LinkProblems {
  return {
    ...(!form.name.trim() && { name: "Nome é obrigatório" }),
    ...(!form.amount && { amount: "Valor é obrigatório" }),
    ...((form.amount ?? 0) > linkAmountMax && {
      amount: `O valor pode ser de até ${formatMoney(linkAmountMax)}`,
    }),
    ...expirationProblem(form.expirationDate, now),
    ...(form.paymentMethods.length === 0 && { paymentMethods: "Método de pagamento é obrigatório" }),
    ...(form.paymentMethods.includes("boleto") && dueDaysProblem(form.boletoExpirationDays)),
  };
}

function expirationProblem(date: string | null, now: Date): LinkProblems {
  if (!date || !parseDate(date)) return { expirationDate: "Data de expiração é obrigatório" };
  return date < todayIn(now) ? { expirationDate: errorText("payment_link_date_past") } : {};
}

function dueDaysProblem(typed: string): LinkProblems {
  if (typed === "") return { boletoExpirationDays: errorText("payment_link_due_days_missing") };
  return Number(typed) < boletoDueDays.min
    ? { boletoExpirationDays: `Use de ${boletoDueDays.min} a ${boletoDueDays.max} dias úteis` }
    : {};
}

/** What was chosen, or as many as the amount allows now. */
export const installmentsIn = ({ amount, installments }: LinkForm): number =>
  Math.min(installments, instalmentsMaxFor(cents(amount ?? 0)));

/** LNK-020. */
export const installmentsText = (amount: number, count: number): string =>
  count === 1 ? "À vista" : `Até ${count}x de ${formatMoney(instalmentsOf(cents(amount), count).first)}`;

export function installmentOptions(amount: number | null): { value: string; label: string }[] {
  const most = amount === null ? 1 : instalmentsMaxFor(cents(amount));
  return Array.from({ length: most }, (_, at) => ({
    value: String(at + 1),
    label: installmentsText(amount ?? 0, at + 1),
  }));
}

/** Of a form without problems. */
export function bodyOf(form: LinkForm, id: string): BodyOf<typeof createPaymentLink> {
  const expiresOn = parseDate(form.expirationDate ?? "");
  if (!form.amount || !expiresOn) throw new Error("the form was not checked");
  const methods = linkMethods.filter((method) => form.paymentMethods.includes(method));
  const details = {
    ...(methods.includes("boleto") && { boleto: { due_days: Number(form.boletoExpirationDays) } }),
    ...(methods.includes("credit_card") && { credit_card: { max_installments: installmentsIn(form) } }),
  };
  return {
    id,
    name: form.name.trim(),
    amount: form.amount,
    description: form.description.trim() || null,
    expires_at: endOfLink(expiresOn).toISOString(),
    payment_methods: methods,
    payment_method_details: Object.keys(details).length > 0 ? details : null,
  };
}
