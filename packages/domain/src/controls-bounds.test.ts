import { expect, it } from "vitest";
import {
  type ControlPolicy,
  dependsOnAmount,
  faultOfPolicy,
  firstPolicy,
  isLooser,
  isNameOf,
  loosenAfterHours,
  needOf,
  newSince,
  outflowKinds,
} from "./controls.ts";
import { cents } from "./money.ts";

const policy = (changes: Partial<ControlPolicy> = {}): ControlPolicy => ({ ...firstPolicy, ...changes });
const bands = (...pairs: [from: number, approvers: number][]) =>
  pairs.map(([from, approvers]) => ({ from: cents(from), approvers }));
const nothing = { total: cents(0), largest: cents(0), byPreparer: cents(0), toPayee: cents(0) };

it("names the kinds of outflow as the database stores them", () => {
  expect(outflowKinds).toEqual([
    "BATCH",
    "CORRECTION",
    "WITHDRAWAL",
    "PAYIN_REFUND",
    "INFRACTION",
    "WITHDRAWAL_ACCOUNT",
    "POLICY",
  ]);
});

it.each<[string, Partial<ControlPolicy>, string | undefined]>([
  ["no wait", { quarantineHours: 0 }, undefined],
  ["a negative quarantine", { quarantineHours: -1 }, "hours"],
  ["a quarantine of a week", { quarantineHours: 168 }, undefined],
  ["an hour more than a week", { quarantineHours: 169 }, "hours"],
  ["five bands", { bands: bands([0, 0], [1, 0], [2, 0], [3, 0], [4, 0]) }, undefined],
  ["six bands", { bands: bands([0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0]) }, "bands"],
  ["two bands of as many people", { bands: bands([0, 1], [100, 1]) }, undefined],
])("accepts or refuses a policy with %s", (_, changes, fault) => {
  expect(faultOfPolicy(policy(changes), 3)).toBe(fault);
});

it.each<[string, Partial<ControlPolicy>, boolean]>([
  ["one band, no code", {}, false],
  ["one band of two people", { bands: bands([0, 2]) }, false],
  ["two bands of as many people", { bands: bands([0, 1], [100, 1]) }, false],
  ["two bands", { bands: bands([0, 0], [100, 1]) }, true],
  ["a code from an amount", { stepUpFrom: cents(100) }, true],
])("reads the sums of the day only when the amount decides: %s", (_, changes, graded) => {
  expect(dependsOnAmount(policy(changes))).toBe(graded);
});

it("requires no person for an amount of zero below the first demanding band, and one person from a centavo", () => {
  const fromOne = policy({ bands: bands([0, 0], [1, 1]) });
  expect(needOf(fromOne, "BATCH", nothing).approvers).toBe(0);
  expect(needOf(fromOne, "BATCH", { ...nothing, total: cents(1) }).approvers).toBe(1);
});

it("requires another admin for a policy if and only if there is one", () => {
  expect(needOf(firstPolicy, "POLICY", nothing).approvers).toBe(0);
  expect(needOf(firstPolicy, "POLICY", nothing, { otherAdmins: 1 }).approvers).toBe(1);
});

it("counts a person as new within the quarantine, unless an earlier quarantine is completed", () => {
  const now = new Date("2026-03-10T12:00:00Z");
  const waited = new Date("2026-03-09T12:00:00Z");
  const later = new Date("2026-03-10T00:00:00Z");
  const earlier = new Date("2026-03-01T00:00:00Z");
  expect(newSince(firstPolicy, now)).toEqual(waited);
  expect(newSince({ ...firstPolicy, countedBefore: later }, now)).toEqual(later);
  expect(newSince({ ...firstPolicy, countedBefore: earlier }, now)).toEqual(waited);
});

it.each<[string, Partial<ControlPolicy>, Partial<ControlPolicy>, boolean]>([
  ["the code from the same amount", { stepUpFrom: cents(100) }, { stepUpFrom: cents(100) }, false],
  ["the code from a centavo more", { stepUpFrom: cents(100) }, { stepUpFrom: cents(101) }, true],
  // Both policies require two approvers for every amount, but the second drops the demand for another person.
  [
    "no other person, while the bands require more",
    { requiresOtherApprover: true, bands: bands([0, 2]) },
    { bands: bands([0, 2]) },
    true,
  ],
  [
    "another person as before",
    { requiresOtherApprover: true, bands: bands([0, 2]) },
    { requiresOtherApprover: true, bands: bands([0, 2]) },
    false,
  ],
])("detects a looser policy: %s", (_, before, after, looser) => {
  expect(isLooser(policy(before), policy(after))).toBe(looser);
});

/** A strict and a loose value per field: a new field needs a pair, or this file does not compile. */
const pairs: {
  readonly [Field in keyof ControlPolicy]: readonly [ControlPolicy[Field], ControlPolicy[Field]];
} = {
  requiresOtherApprover: [true, false],
  bands: [bands([0, 1]), bands([0, 0])],
  operatorApprovers: [[], ["leo"]],
  stepUpFrom: [cents(0), null],
  operatorsMayWithdraw: [false, true],
  operatorsMayCorrect: [false, true],
  operatorsMayGiveBack: [false, true],
  quarantineHours: [168, 0],
};

it.each(Object.keys(firstPolicy) as (keyof ControlPolicy)[])(
  "detects a looser policy by each field alone, and not a stricter one: %s",
  (field) => {
    const [strict, loose] = pairs[field].map((value) => policy({ [field]: value }));
    if (!strict || !loose) throw new Error("a pair has two");
    expect([isLooser(strict, loose), isLooser(loose, strict)]).toEqual([true, false]);
  },
);

it("lets one admin loosen a policy after a day", () => {
  expect(loosenAfterHours).toBe(24);
});

it.each([
  "ltda",
  "limitada",
  "eireli",
  "epp",
  "mei",
  "slu",
  "cia",
  "companhia",
  "empresa",
  "comercio",
  "servicos",
  "industria",
  "brasil",
  "the",
  "dos",
  "das",
])("'%s' in common does not identify another holder", (word) => {
  expect(isNameOf(`Aurora ${word}`, `Horizonte ${word}`)).toBe(false);
});

it.each([
  ["Rio Negócios", "RIO SUL", true],
  ["Aurora Papelaria", "AUR PAPEL", true],
  ["Aurora", "Auroras Unidas", true],
  ["Ab Horizonte", "Ab Aurora", false],
])("'%s' and '%s' share a word of three letters or more: %s", (company, holder, shared) => {
  expect(isNameOf(company, holder)).toBe(shared);
});
