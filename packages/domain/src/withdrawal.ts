import type { Cents } from "./money.ts";

/**
 * Returns whether the person sees the action and the server admits them (STM-027, SES-052). `balance_withdrawal` is
 * required in addition.
 */
export function mayWithdraw(facts: {
  profile: "admin" | "operator" | "analyst";
  operatorsMayWithdraw: boolean;
}): boolean {
  return facts.profile === "admin" || (facts.profile === "operator" && facts.operatorsMayWithdraw);
}

export type WithdrawalRefusal =
  | "forbidden"
  | "company_blocked"
  | "withdrawal_account_missing"
  | "withdrawal_account_not_yours"
  | "withdrawals_frozen"
  | "blocked_tax_id"
  | "insufficient_balance";

export type WithdrawalDecision = { kind: "accepted" } | { kind: "refused"; code: WithdrawalRefusal };

/** Decides on a withdrawal to the company's own account. The posting itself decides whether the balance suffices. */
export function decideWithdrawal(facts: {
  mayWithdraw: boolean;
  companyBlocked: boolean;
  hasAccount: boolean;
  /** True when the account belongs to the company's own document. */
  isOwnAccount: boolean;
  /** True when the account changed a short while ago. */
  isFrozen: boolean;
  /** True when the account's holder is on the list of blocked documents. */
  holderBlocked: boolean;
  valueCents: Cents;
  availableCents: Cents;
}): WithdrawalDecision {
  const refuse = (code: WithdrawalRefusal): WithdrawalDecision => ({ kind: "refused", code });
  if (!facts.mayWithdraw) return refuse("forbidden");
  if (facts.companyBlocked) return refuse("company_blocked");
  if (!facts.hasAccount) return refuse("withdrawal_account_missing");
  if (!facts.isOwnAccount) return refuse("withdrawal_account_not_yours");
  if (facts.isFrozen) return refuse("withdrawals_frozen");
  if (facts.holderBlocked) return refuse("blocked_tax_id");
  if (facts.valueCents > facts.availableCents) return refuse("insufficient_balance");
  return { kind: "accepted" };
}

/** The account that receives withdrawals. */
export interface AccountInForce<Account> {
  account: Account;
  /** The moment at which it replaced another one; null where no wait applies. */
  changedAt: Date | null;
  /** The account in force before the first change whose wait is not over. */
  before: Account | null;
}

/**
 * Replaces the account. A different account waits from the moment it is entered, even if it was in force before:
 * reverting a change restarts the wait. Only the account that was in force throughout takes effect at once, so changing
 * back and forth delays no withdrawal. `isRipe`: the wait of the current one is over.
 */
export function putAccount<Account>(
  inForce: AccountInForce<Account>,
  given: Account,
  {
    isRipe,
    isSamePlace,
    now,
  }: { isRipe: boolean; isSamePlace: (a: Account, b: Account) => boolean; now: Date },
): AccountInForce<Account> {
  const { account, before } = inForce;
  // A changed holder name does not redirect money.
  if (isSamePlace(account, given)) return { ...inForce, account: given };
  if (isRipe) return { account: given, changedAt: now, before: account };
  if (before !== null && isSamePlace(before, given)) return { account: given, changedAt: null, before: null };
  return { account: given, changedAt: now, before };
}
