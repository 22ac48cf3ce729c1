import { describe, expect, it } from "vitest";
import type { CalendarDate } from "./calendar.ts";
import { cents } from "./money.ts";
import {
  instalmentsMaxFor,
  instalmentsOf,
  type LinkFacts,
  type LinkTerms,
  linkStatus,
  refusalOfLink,
} from "./payment-link.ts";

const day = (text: string) => text as CalendarDate;
const today = day("2026-08-12");

describe("status of a link", () => {
  it.each([
    [true, "2026-08-11", "paid"],
    [true, "2026-08-13", "paid"],
    [false, "2026-08-11", "expired"],
    [false, "2026-08-12", "active"],
    [false, "2026-08-13", "active"],
  ])("LNK-007 follows payment (%s) and last day (%s): %s", (isPaid, expiresOn, status) => {
    expect(linkStatus({ isPaid, expiresOn: day(expiresOn) }, today)).toBe(status);
  });
});

describe("instalments", () => {
  it.each([
    [1, 1],
    [2, 2],
    [23, 23],
    [24, 24],
    [25, 24],
    [100_00, 24],
  ])("LNK-020 %s centavos allow at most %s", (amount, most) => {
    expect(instalmentsMaxFor(cents(amount))).toBe(most);
  });

  it.each([
    [100_00, 3, 1, 33_34, 33_33],
    [100_00, 4, 4, 25_00, 25_00],
    [100_00, 6, 4, 16_67, 16_66],
    [5, 3, 2, 2, 1],
    [100_00, 1, 1, 100_00, 100_00],
    [24, 24, 24, 1, 1],
  ])(
    "split %s into %s: %s of %s and the others of %s, which add up to the total",
    (amount, count, firstCount, first, others) => {
      expect(instalmentsOf(cents(amount), count)).toEqual({ first, firstCount, others });
      expect(first * firstCount + others * (count - firstCount)).toBe(amount);
    },
  );
});

describe("refusals of a link", () => {
  const all: LinkFacts = { today, hasBoletoCharge: true, hasCardCharge: true };
  const terms: LinkTerms = {
    amount: cents(5),
    expiresOn: today,
    methods: ["pix", "boleto", "credit_card"],
    late: null,
    boletoDueDays: 1,
    maxInstallments: 5,
  };
  it.each<[string | undefined, Partial<LinkTerms>, Partial<LinkFacts>]>([
    [undefined, {}, {}],
    ["payment_link_date_past", { expiresOn: day("2026-08-11") }, {}],
    ["payment_link_boleto_off", {}, { hasBoletoCharge: false }],
    ["payment_link_card_off", {}, { hasCardCharge: false }],
    [undefined, { methods: ["pix"], boletoDueDays: null }, { hasBoletoCharge: false, hasCardCharge: false }],
    ["payment_link_due_days_missing", { boletoDueDays: null }, {}],
    ["payment_link_installments_over", { maxInstallments: 6 }, {}],
  ])("LNK-018 LNK-019 LNK-020 %s", (refusal, changedTerms, changedFacts) => {
    expect(refusalOfLink({ ...terms, ...changedTerms }, { ...all, ...changedFacts })).toBe(refusal);
  });
});
