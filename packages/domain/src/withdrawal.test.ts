import { describe, expect, it } from "vitest";
import { cents } from "./money.ts";
import { type AccountInForce, decideWithdrawal, mayWithdraw, putAccount } from "./withdrawal.ts";

describe("who may withdraw", () => {
  it.each([
    ["admin", true, true],
    ["admin", false, true],
    ["operator", true, true],
    ["operator", false, false],
    ["analyst", true, false],
    ["analyst", false, false],
  ] as const)("STM-027 %s, operators may withdraw: %s", (profile, operatorsMayWithdraw, expected) => {
    expect(mayWithdraw({ profile, operatorsMayWithdraw })).toBe(expected);
  });
});

describe("withdrawals", () => {
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

  it("STM-028 may take at most the whole balance", () => {
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
  ] as const)("are refused: %s", (code, different) => {
    expect(decideWithdrawal({ ...facts, ...different })).toEqual({ kind: "refused", code });
  });
});

describe("change of the account", () => {
  const hour = (number: number) => new Date(Date.UTC(2026, 7, 12, number));
  const waitHours = 24;
  /** Accounts with the hour of each change, in order, and the wait for the last of them. */
  const waitsUntil = (...given: [account: string, hour: number][]) => {
    let inForce: AccountInForce<string> = { account: "A", changedAt: null, before: null };
    const ripeAt = ({ changedAt }: typeof inForce) =>
      changedAt === null ? Number.NEGATIVE_INFINITY : changedAt.getTime() + waitHours * 3_600_000;
    for (const [account, at] of given)
      inForce = putAccount(inForce, account, {
        isRipe: hour(at).getTime() >= ripeAt(inForce),
        isSamePlace: (a, b) => a === b,
        now: hour(at),
      });
    const { changedAt } = inForce;
    return changedAt && (ripeAt(inForce) - hour(0).getTime()) / 3_600_000;
  };

  it.each<[string, [string, number][], number | null]>([
    ["waits", [["B", 1]], 25],
    [
      "does not wait longer when it is saved again",
      [
        ["B", 1],
        ["B", 9],
      ],
      25,
    ],
    [
      "returns at once when it was in force before",
      [
        ["B", 1],
        ["A", 2],
      ],
      null,
    ],
    [
      "returns at once after any accounts in between",
      [
        ["B", 1],
        ["C", 2],
        ["B", 3],
        ["A", 4],
      ],
      null,
    ],
    [
      "returns at once each time",
      [
        ["B", 1],
        ["A", 2],
        ["B", 3],
        ["A", 4],
      ],
      null,
    ],
    [
      "restarts its wait after it was reverted",
      [
        ["B", 1],
        ["A", 2],
        ["B", 30],
      ],
      54,
    ],
    [
      "restarts its wait after another account, which waits too",
      [
        ["B", 1],
        ["C", 2],
        ["B", 3],
      ],
      27,
    ],
    [
      "does not take over the wait of the one before it",
      [
        ["B", 1],
        ["C", 24],
      ],
      48,
    ],
    [
      "waits when the account in force no longer waits",
      [
        ["B", 1],
        ["A", 25],
      ],
      49,
    ],
    [
      "is the account to return to, once its wait is over",
      [
        ["B", 1],
        ["C", 25],
        ["B", 26],
      ],
      null,
    ],
    [
      "is not the account to return to once another replaced it for good",
      [
        ["B", 1],
        ["C", 25],
        ["A", 26],
      ],
      50,
    ],
  ])("%s", (_what, given, expected) => {
    expect(waitsUntil(...given)).toBe(expected);
  });
});
