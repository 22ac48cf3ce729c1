import { describe, expect, it } from "vitest";
import {
  type AmountsToCheck,
  type ApproverFacts,
  type ControlPolicy,
  faultOfPolicy,
  firstPolicy,
  isLooser,
  isNameOf,
  needOf,
  type OutflowKind,
  outflowKinds,
  refusalOfApprover,
  refusalOfCode,
} from "./controls.ts";
import { cents } from "./money.ts";

const policy = (changes: Partial<ControlPolicy> = {}): ControlPolicy => ({ ...firstPolicy, ...changes });
const bands = (...pairs: [from: number, approvers: number][]) =>
  pairs.map(([from, approvers]) => ({ from: cents(from), approvers }));
const figures = (changes: Partial<Record<keyof AmountsToCheck, number>> = {}): AmountsToCheck => {
  const all = { total: 1_00, largest: 1_00, byPreparer: 1_00, toPayee: 1_00, ...changes };
  return {
    total: cents(all.total),
    largest: cents(all.largest),
    byPreparer: cents(all.byPreparer),
    toPayee: cents(all.toPayee),
    ...(all.redirected !== undefined && { redirected: cents(all.redirected) }),
  };
};
const graded = policy({ bands: bands([0, 0], [1_000_00, 1], [10_000_00, 2], [100_000_00, 3]) });

describe("approvals that an outflow needs", () => {
  it.each(outflowKinds)("ruling D21: include no second person in a new company: %s", (kind) => {
    expect(needOf(firstPolicy, kind, figures({ total: 9_999_999_00 }))).toEqual({
      approvers: 0,
      stepUp: false,
    });
  });

  it.each([
    [999_99, 0],
    [1_000_00, 1],
    [9_999_99, 1],
    [10_000_00, 2],
    [100_000_00, 3],
  ])("depend on the amount: %s needs %s", (total, approvers) => {
    expect(needOf(graded, "BATCH", figures({ total })).approvers).toBe(approvers);
  });

  it.each(["largest", "byPreparer", "toPayee", "redirected"] as const)(
    "follow the strictest amount: %s",
    (figure) => {
      expect(needOf(graded, "BATCH", figures({ [figure]: 10_000_00 })).approvers).toBe(2);
    },
  );

  it("ruling D21: include another person for every outflow, whatever the bands require", () => {
    const two = policy({ requiresOtherApprover: true });
    const asked: OutflowKind[] = [
      "BATCH",
      "CORRECTION",
      "WITHDRAWAL",
      "PAYIN_REFUND",
      "INFRACTION",
      "WITHDRAWAL_ACCOUNT",
    ];
    for (const kind of asked) expect(needOf(two, kind, figures()).approvers).toBe(1);
  });

  it("include one more for a credential without a known owner, but only if a person is required at all", () => {
    const hasUnknownPreparer = true;
    expect(needOf(graded, "BATCH", figures({ total: 1_000_00 }), { hasUnknownPreparer }).approvers).toBe(2);
    expect(needOf(graded, "BATCH", figures(), { hasUnknownPreparer }).approvers).toBe(0);
  });

  it("are those of the largest amount for the withdrawal account, and another admin for the policy when there is one", () => {
    expect(needOf(graded, "WITHDRAWAL_ACCOUNT", figures()).approvers).toBe(3);
    expect(needOf(graded, "POLICY", figures(), { otherAdmins: 2 }).approvers).toBe(1);
    expect(needOf(graded, "POLICY", figures(), { otherAdmins: 0 }).approvers).toBe(0);
  });

  it("include a code from its amount on", () => {
    const withCode = policy({ stepUpFrom: cents(5_000_00) });
    expect(needOf(withCode, "BATCH", figures({ total: 4_999_99 })).stepUp).toBe(false);
    expect(needOf(withCode, "BATCH", figures({ toPayee: 5_000_00 })).stepUp).toBe(true);
  });
});

describe("approvals that count", () => {
  const now = new Date("2026-08-12T13:00:00Z");
  const admin: ApproverFacts = {
    id: "ana",
    isPerson: true,
    profile: "admin",
    knownSince: null,
    hasFactor: true,
  };
  const ask = (
    approver: Partial<ApproverFacts>,
    changes: Partial<Parameters<typeof refusalOfApprover>[1]> = {},
  ) =>
    refusalOfApprover(
      { ...admin, ...approver },
      { policy: policy(), need: { approvers: 1 }, preparers: ["rui"], now, ...changes },
    );

  it("come from an admin who prepared nothing, from no credential, and from no analyst", () => {
    expect(ask({})).toBeUndefined();
    expect(ask({ isPerson: false })).toBe("approver_not_a_person");
    expect(ask({ profile: "analyst" })).toBe("forbidden");
    expect(ask({ id: "rui" })).toBe("approver_is_creator");
    // When no other approver is required, the creator may close it.
    expect(ask({ id: "rui" }, { need: { approvers: 0 } })).toBeUndefined();
  });

  it("come from operators named by the company, never about their own batch, and never about the policy itself", () => {
    const named = { policy: policy({ operatorApprovers: ["leo"] }) };
    const leo = { id: "leo", profile: "operator" as const };
    expect(ask(leo)).toBe("forbidden");
    expect(ask(leo, named)).toBeUndefined();
    expect(ask(leo, { ...named, kind: "POLICY" })).toBe("forbidden");
    expect(ask(leo, { ...named, preparers: ["leo"], need: { approvers: 0 } })).toBe("approver_is_creator");
  });

  it("do not come from a person who joined or changed their factor within a day, to the second", () => {
    const hoursAgo = (hours: number) => ({ knownSince: new Date(now.getTime() - hours * 3_600_000) });
    expect(ask(hoursAgo(1))).toBe("approver_too_new");
    expect(ask({ knownSince: new Date(now.getTime() - 24 * 3_600_000 + 1) })).toBe("approver_too_new");
    expect(ask(hoursAgo(24))).toBeUndefined();
    expect(ask(hoursAgo(1), { policy: policy({ quarantineHours: 1 }) })).toBeUndefined();
    // A person who completed the quarantine of an earlier policy.
    const longer = { ...policy({ quarantineHours: 168 }), countedBefore: hoursAgo(24).knownSince };
    expect(ask(hoursAgo(24), { policy: longer })).toBeUndefined();
    expect(ask(hoursAgo(23), { policy: longer })).toBe("approver_too_new");
    expect(ask(hoursAgo(0), { need: { approvers: 0 } })).toBeUndefined();
  });

  it("carry a code when one is required", () => {
    const need = { stepUp: true };
    expect(refusalOfCode(admin, { stepUp: false }, "none")).toBeUndefined();
    expect(refusalOfCode(admin, need, "none")).toBe("step_up_required");
    expect(refusalOfCode(admin, need, "wrong")).toBe("second_factor_invalid");
    expect(refusalOfCode(admin, need, "good")).toBeUndefined();
    expect(refusalOfCode({ ...admin, hasFactor: false }, need, "good")).toBe("step_up_factor_missing");
    expect(refusalOfCode({ ...admin, isPerson: false }, need, "good")).toBe("approver_not_a_person");
  });
});

describe("policies", () => {
  it.each([
    ["no band", bands()],
    ["a first band above zero", bands([1, 0])],
    ["bands out of order", bands([0, 0], [50_00, 1], [20_00, 2])],
    ["two bands from the same amount", bands([0, 0], [0, 1])],
    ["fewer people for more money", bands([0, 2], [50_00, 1])],
    ["more people than three", bands([0, 4])],
    ["fewer than zero persons", bands([0, -1])],
    ["more bands than five", bands([0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0])],
  ])("are invalid with %s", (_what, given) => {
    expect(faultOfPolicy(policy({ bands: given }), 9)).toBe("bands");
  });

  it("are invalid when no company could meet them, or with a quarantine longer than a week", () => {
    expect(faultOfPolicy(graded, 2)).toBe("people");
    expect(faultOfPolicy(graded, 3)).toBeUndefined();
    expect(faultOfPolicy(policy({ requiresOtherApprover: true }), 0)).toBe("people");
    expect(faultOfPolicy(policy({ quarantineHours: 169 }), 9)).toBe("hours");
    expect(faultOfPolicy(firstPolicy, 0)).toBeUndefined();
  });

  it.each<[string, Partial<ControlPolicy>, Partial<ControlPolicy>, boolean]>([
    ["nothing changed", {}, {}, false],
    ["another person is required", {}, { requiresOtherApprover: true }, false],
    ["another person is no longer required", { requiresOtherApprover: true }, {}, true],
    ["a band starts later", { bands: bands([0, 0], [10, 1]) }, { bands: bands([0, 0], [20, 1]) }, true],
    ["a band starts earlier", { bands: bands([0, 0], [20, 1]) }, { bands: bands([0, 0], [10, 1]) }, false],
    ["an operator may approve", {}, { operatorApprovers: ["leo"] }, true],
    ["an operator may no longer approve", { operatorApprovers: ["leo"] }, {}, false],
    ["a code is required", {}, { stepUpFrom: cents(1) }, false],
    ["a code is required from a larger amount", { stepUpFrom: cents(1) }, { stepUpFrom: cents(2) }, true],
    ["no code is required", { stepUpFrom: cents(1) }, {}, true],
    ["operators withdraw", { operatorsMayWithdraw: false }, {}, true],
    ["operators correct", { operatorsMayCorrect: false }, {}, true],
    ["operators may return payments", { operatorsMayGiveBack: false }, {}, true],
    ["the quarantine is shorter", { quarantineHours: 48 }, {}, true],
    ["the quarantine is longer", {}, { quarantineHours: 48 }, false],
  ])("are looser or not: %s", (_what, before, after, expected) => {
    expect(isLooser(policy(before), policy(after))).toBe(expected);
  });
});

it.each([
  ["Aurora Papelaria e Serviços Ltda", "AURORA PAPELARIA", true],
  ["Aurora Papelaria e Serviços Ltda", "Aurora Papel. e Serv.", true],
  ["Horizonte Logística Ltda", "HORIZONTE LOG LTDA", true],
  ["Horizonte Logística Ltda", "Zé Laranja", false],
  ["Horizonte Logística Ltda", "Comércio e Serviços Ltda", false],
  ["Empresa Ltda", "Zé Laranja", true],
])("SET-011 the holder's name fits the company's: %s, %s: %s", (company, holder, expected) => {
  expect(isNameOf(company, holder)).toBe(expected);
});
