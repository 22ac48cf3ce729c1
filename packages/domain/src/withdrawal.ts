import type { Cents } from "./money.ts";

/**
 * STM-027, SES-052: who sees the action, and whom the server admits. `balance_withdrawal` is required in addition.
 */
export function mayWithdraw(facts: {
  profile: "admin" | "operator" | "analyst";
  blockWithdrawForOperator: boolean;
}): boolean {
  return facts.profile === "admin" || (facts.profile === "operator" && !facts.blockWithdrawForOperator);
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

/** Sends balance to the company's own account. The posting itself decides whether the balance suffices. */
export function decideWithdrawal(facts: {
  mayWithdraw: boolean;
  companyBlocked: boolean;
  hasAccount: boolean;
  /** The account belongs to the company's own document. */
  isOwnAccount: boolean;
  /** The account became another one a short while ago. */
  isFrozen: boolean;
  /** The holder of the account is on the list of documents that may not be paid. */
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

/** Where withdrawals go. */
export interface AccountInForce<Account> {
  account: Account;
  /** When it replaced another one; null where no wait applies. */
  changedAt: Date | null;
  /** What was in force before the first change whose wait is not over. */
  before: Account | null;
}

/**
 * Another account waits from the moment it is given, also where it was in force before: taking a change back also
 * resets its wait. Only the account that was in force all the time is back at once, so changing back and forth delays
 * no withdrawal. `isRipe`: the wait of the one in force is over.
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
  // Another name of its holder does not redirect money.
  if (isSamePlace(account, given)) return { ...inForce, account: given };
  if (isRipe) return { account: given, changedAt: now, before: account };
  if (before !== null && isSamePlace(before, given)) return { account: given, changedAt: null, before: null };
  return { account: given, changedAt: now, before };
}
