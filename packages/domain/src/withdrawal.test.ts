import { describe, expect, it } from "vitest";
import { cents } from "./money.ts";
import { decideWithdrawal, mayWithdraw } from "./withdrawal.ts";

describe("who may withdraw", () => {
  it.each([
    ["admin", false, true],
    ["admin", true, true],
    ["operator", false, true],
    ["operator", true, false],
    ["analyst", false, false],
    ["analyst", true, false],
  ] as const)(
    "STM-027 %s, withdrawing closed to operators: %s",
    (profile, blockWithdrawForOperator, expected) => {
      expect(mayWithdraw({ profile, blockWithdrawForOperator })).toBe(expected);
    },
  );
});

describe("a withdrawal", () => {
  const facts = {
    mayWithdraw: true,
    companyBlocked: false,
    hasAccount: true,
    isOwnAccount: true,
    isFrozen: false,
    holderBlocked: false,
    valueCents: cents(100_00),
    availableCents: cents(100_00),
  };

  it("STM-028 may be all there is, and not a centavo more", () => {
    expect(decideWithdrawal(facts)).toEqual({ kind: "accepted" });
    expect(decideWithdrawal({ ...facts, valueCents: cents(100_01) })).toEqual({
      kind: "refused",
      code: "insufficient_balance",
    });
  });

  it.each([
    ["forbidden", { mayWithdraw: false }],
    ["company_blocked", { companyBlocked: true }],
    ["withdrawal_account_missing", { hasAccount: false }],
    ["withdrawal_account_not_yours", { isOwnAccount: false }],
    ["withdrawals_frozen", { isFrozen: true }],
    ["blocked_tax_id", { holderBlocked: true }],
  ] as const)("is refused: %s", (code, different) => {
    expect(decideWithdrawal({ ...facts, ...different })).toEqual({ kind: "refused", code });
  });
});
