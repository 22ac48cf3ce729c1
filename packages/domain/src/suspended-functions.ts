/**
 * Functions that the operator of an installation suspends for a company, as far as money moves by them (SHL-038, SES-058).
 * The one rule every way of money asks: which function it is, and whether the company still holds it (decision 0056).
 */
import type { IssueCode } from "./issues.ts";
import type { PaymentType } from "./limits.ts";
import type { LinkMethod } from "./payment-link.ts";

/** As the list of what is suspended names them, and what a refused payment says. */
export const moneyFunctions = {
  payout_pix: "Pagar por Pix",
  payout_ted: "Pagar por TED",
  payout_boleto: "Pagar boletos",
  payout_pix_refund: "Devolver Pix recebidos",
  balance_withdrawal: "Resgatar saldo",
  payin_pix: "Receber por Pix",
  payin_boleto: "Receber por boleto",
  payin_credit_card: "Receber por cartão de crédito",
  payin_refund: "Devolver recebimentos",
  payin_refund_med: "Devolver valores contestados",
} as const;
export type MoneyFunction = keyof typeof moneyFunctions;

/**
 * By which function a payment leaves. A transfer within our own institution is typed like a TED, by bank, agency and
 * account, and has no code of its own: a suspended TED would be walked around by it.
 */
export const payoutFunctionOf = {
  PIX: "payout_pix",
  TED: "payout_ted",
  TEV: "payout_ted",
  BILLET: "payout_boleto",
} as const satisfies Record<PaymentType, MoneyFunction>;

/** By which function a payer is charged. */
export const chargeFunctionOf = {
  pix: "payin_pix",
  boleto: "payin_boleto",
  credit_card: "payin_credit_card",
} as const satisfies Record<LinkMethod, MoneyFunction>;

/** `held`: the company's permission codes; `all` holds each of them (SES-033). */
export const isSuspended = (held: readonly string[], one: MoneyFunction): boolean =>
  !held.includes("all") && !held.includes(one);

/** Of the payments that a company makes, those it may not make at the moment. */
export const suspendedMethods = (held: readonly string[]): PaymentType[] =>
  (Object.keys(payoutFunctionOf) as PaymentType[]).filter((method) =>
    isSuspended(held, payoutFunctionOf[method]),
  );

/** The field by which a person would pay another way. */
const fieldOf: Readonly<Record<PaymentType, string>> = {
  PIX: "pix_key",
  TED: "bank_id",
  TEV: "bank_id",
  BILLET: "barcode",
};

/**
 * What speaks against a payment by a suspended method. Never stored with it: it is true for as long as the suspension
 * lasts, so it is added to what is found in a payment whenever that is read.
 */
export function suspensionIssue(
  method: PaymentType,
  suspended: readonly PaymentType[],
): { code: IssueCode; field: string; data: Record<string, string> } | undefined {
  if (!suspended.includes(method)) return undefined;
  const name = moneyFunctions[payoutFunctionOf[method]];
  return { code: "method_suspended", field: fieldOf[method], data: { function: name } };
}
