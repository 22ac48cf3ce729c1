import { describe, expect, it } from "vitest";
import type { CalendarDate } from "./calendar.ts";
import { cents } from "./money.ts";
import { amountDue, isTakenOn, type RegisteredBoleto } from "./registered-boleto.ts";

const day = (text: string) => text as CalendarDate;
/** A boleto due on a Wednesday. */
const boleto = (changes: Partial<RegisteredBoleto> = {}): RegisteredBoleto => ({
  beneficiary: { name: "Lopes Materiais Ltda", taxId: "11222333000181" },
  value: cents(1_000_00),
  dueDate: day("2026-11-18"),
  limitDate: day("2026-12-18"),
  fineBasisPoints: 200,
  interestBasisPoints: 100,
  discount: null,
  abatement: cents(0),
  ...changes,
});

describe("amountDue", () => {
  it.each([
    ["before it is due", "2026-11-10", { total: 1_000_00, daysLate: 0, until: "2026-11-18" }],
    ["on its day", "2026-11-18", { total: 1_000_00, fine: 0, interest: 0 }],
    [
      "a day late",
      "2026-11-19",
      { total: 1_020_33, fine: 20_00, interest: 33, daysLate: 1, until: "2026-11-19" },
    ],
    ["thirty days late", "2026-12-18", { total: 1_030_00, interest: 10_00, daysLate: 30 }],
  ])("%s", (_when, on, due) => {
    expect(amountDue(boleto(), day(on))).toMatchObject(due);
  });

  it("adds nothing when a due date without settlement is paid on the next business day", () => {
    // 20 November 2026 is a holiday, a Friday.
    const onHoliday = boleto({ dueDate: day("2026-11-20") });
    expect(amountDue(onHoliday, day("2026-11-23"))).toMatchObject({
      total: 1_000_00,
      daysLate: 0,
      until: "2026-11-23",
    });
    expect(amountDue(onHoliday, day("2026-11-24"))).toMatchObject({
      daysLate: 4,
      fine: 20_00,
      interest: 1_33,
    });
  });

  it("deducts a discount until its day and an abatement always, and never falls below zero", () => {
    const less = boleto({
      discount: { amount: cents(50_00), until: day("2026-11-13") },
      abatement: cents(10_00),
    });
    expect(amountDue(less, day("2026-11-13"))).toMatchObject({
      total: 940_00,
      discount: 50_00,
      until: "2026-11-13",
    });
    expect(amountDue(less, day("2026-11-16"))).toMatchObject({
      total: 990_00,
      discount: 0,
      until: "2026-11-18",
    });
    expect(amountDue(boleto({ abatement: cents(2_000_00) }), day("2026-11-16")).total).toBe(0);
  });

  it("stays constant until the last accepted day with only a fine", () => {
    expect(amountDue(boleto({ interestBasisPoints: 0 }), day("2026-11-25"))).toMatchObject({
      total: 1_020_00,
      until: "2026-12-18",
    });
  });
});

it("is accepted until its last day, which moves to a business day", () => {
  const until = boleto({ limitDate: day("2026-12-19") });
  expect(isTakenOn(until, day("2026-12-21"))).toBe(true);
  expect(isTakenOn(until, day("2026-12-22"))).toBe(false);
  expect(isTakenOn(boleto({ limitDate: null }), day("2030-01-02"))).toBe(true);
});
