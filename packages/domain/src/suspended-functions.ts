/**
 * Functions that the installation's operator suspends for a company, where they move money (SHL-038, SES-058). Every
 * kind of money movement uses this rule: its function, and whether the company still holds it (decision 0056).
 */
import type { IssueCode } from "./issues.ts";
import type { PaymentMethod } from "./limits.ts";
import type { LinkMethod } from "./payment-link.ts";

/** Names in the list of suspended functions and in the text of a refused payment. */
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
 * The function by which a payment leaves. A transfer within our own institution is entered like a TED, by bank, agency
 * and account, and has no code of its own; otherwise it would bypass a suspended TED.
 */
export const payoutFunctionOf = {
  PIX: "payout_pix",
  TED: "payout_ted",
  TEV: "payout_ted",
  BILLET: "payout_boleto",
} as const satisfies Record<PaymentMethod, MoneyFunction>;

/** The function by which a payer is charged. */
export const chargeFunctionOf = {
  pix: "payin_pix",
  boleto: "payin_boleto",
  credit_card: "payin_credit_card",
} as const satisfies Record<LinkMethod, MoneyFunction>;

/**
 * Returns whether a function is suspended. `held`: the company's permission codes; `all` contains each of them
 * (SES-033).
 */
export const isSuspended = (held: readonly string[], one: MoneyFunction): boolean =>
  !held.includes("all") && !held.includes(one);

/** Returns the methods of payment that the company may not use at the moment. */
export const suspendedMethods = (held: readonly string[]): PaymentMethod[] =>
  (Object.keys(payoutFunctionOf) as PaymentMethod[]).filter((method) =>
    isSuspended(held, payoutFunctionOf[method]),
  );

/** The field that a person changes to pay by another method. */
const fieldOf: Readonly<Record<PaymentMethod, string>> = {
  PIX: "pix_key",
  TED: "bank_id",
  TEV: "bank_id",
  BILLET: "barcode",
};

/**
 * Returns the issue of a payment by a suspended method. It is never stored with the payment: it applies only during the
 * suspension, so readers add it to the stored issues.
 */
export function suspensionIssue(
  method: PaymentMethod,
  suspended: readonly PaymentMethod[],
): { code: IssueCode; field: string; data: Record<string, string> } | undefined {
  if (!suspended.includes(method)) return undefined;
  const name = moneyFunctions[payoutFunctionOf[method]];
  return { code: "method_suspended", field: fieldOf[method], data: { function: name } };
}
