/** State of the form, its problems, and its request (LNK-012 to LNK-022). */

import type { BodyOf } from "@malote/contracts/contract";
import { errorText } from "@malote/contracts/errors";
import type { createPaymentLink } from "@malote/contracts/payment-links";
import { parseDate } from "@malote/domain/calendar";
import { percentMax } from "@malote/domain/late-charges";
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
import { systemNow } from "../ui/system-time.ts";

export interface LinkForm {
  name: string;
  amount: number | null;
  expirationDate: string | null;
  description: string;
  paymentMethods: readonly LinkMethod[];
  /** Number of days as typed. */
  boletoExpirationDays: string;
  /** Fine of a boleto paid late, in percent as typed; empty for none. */
  boletoFine: string;
  boletoInterest: string;
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
  boletoFine: "",
  boletoInterest: "",
  installments: 1,
};

export const fieldIds: Readonly<Record<LinkField, string>> = {
  name: "nome",
  amount: "valor",
  expirationDate: "expiracao",
  description: "descricao",
  paymentMethods: "metodos",
  boletoExpirationDays: "dias-do-boleto",
  boletoFine: "multa-do-boleto",
  boletoInterest: "juros-do-boleto",
  installments: "parcelas",
};

export type LinkProblems = Partial<Record<LinkField, string>>;

export function problemsOf(form: LinkForm, now: Date = systemNow()): LinkProblems {
  return {
    ...(!form.name.trim() && { name: "Nome é obrigatório" }),
    ...(!form.amount && { amount: "Valor é obrigatório" }),
    ...((form.amount ?? 0) > linkAmountMax && {
      amount: `O valor pode ser de até ${formatMoney(linkAmountMax)}`,
    }),
    ...expirationProblem(form.expirationDate, now),
    ...(form.paymentMethods.length === 0 && { paymentMethods: "Método de pagamento é obrigatório" }),
    ...(form.paymentMethods.includes("boleto") && {
      ...dueDaysProblem(form.boletoExpirationDays),
      ...rateProblem("boletoFine", form.boletoFine),
      ...rateProblem("boletoInterest", form.boletoInterest),
    }),
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

/** `1,5` to 1.5; undefined for an empty field, NaN for text that is no percentage. */
export function percentIn(typed: string): number | undefined {
  const text = typed.trim().replace("%", "");
  if (text === "") return undefined;
  return /^\d{1,3}(,\d{1,4})?$/.test(text) ? Number(text.replace(",", ".")) : Number.NaN;
}

function rateProblem(field: "boletoFine" | "boletoInterest", typed: string): LinkProblems {
  const percent = percentIn(typed);
  const isGood = percent === undefined || (percent > 0 && percent <= percentMax);
  return isGood ? {} : { [field]: `Use um percentual de até ${percentMax}%, como 1 ou 0,5` };
}

/** Returns the chosen number, limited to what the amount allows now. */
export const installmentsIn = ({ amount, installments }: LinkForm): number =>
  Math.min(installments, instalmentsMaxFor(cents(amount ?? 0)));

/** LNK-020: names the largest number of instalments. */
export const installmentsText = (amount: number, count: number): string =>
  count === 1 ? "À vista" : `Até ${count}x de ${formatMoney(instalmentsOf(cents(amount), count).first)}`;

export function installmentOptions(amount: number | null): { value: string; label: string }[] {
  const most = amount === null ? 1 : instalmentsMaxFor(cents(amount));
  return Array.from({ length: most }, (_, at) => ({
    value: String(at + 1),
    label: installmentsText(amount ?? 0, at + 1),
  }));
}

function boletoOf(form: LinkForm) {
  const [fine, interest] = [percentIn(form.boletoFine), percentIn(form.boletoInterest)];
  return {
    due_days: Number(form.boletoExpirationDays),
    ...(fine !== undefined && { fine: { type: "percentage" as const, percent: fine } }),
    ...(interest !== undefined && { interest: { type: "percentage_per_month" as const, percent: interest } }),
  };
}

/** Builds the request; expects a form without problems. */
export function bodyOf(form: LinkForm, id: string): BodyOf<typeof createPaymentLink> {
  const expiresOn = parseDate(form.expirationDate ?? "");
  if (!form.amount || !expiresOn) throw new Error("the form was not checked");
  const methods = linkMethods.filter((method) => form.paymentMethods.includes(method));
  const details = {
    ...(methods.includes("boleto") && { boleto: boletoOf(form) }),
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
