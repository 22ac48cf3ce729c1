import { expect, it } from "vitest";
import type { CalendarDate } from "./calendar.ts";
import { fineTypes, interestTypes, type LateTerms, lateCharges, valueOfPercent } from "./late-charges.ts";
import { cents } from "./money.ts";

const late = (terms: Partial<LateTerms>, paidOn: string, dueDate = "2026-11-10", amount = 1_000_00) =>
  lateCharges(
    cents(amount),
    { interest: null, fine: null, ...terms },
    { dueDate: dueDate as CalendarDate, paidOn: paidOn as CalendarDate },
  );
const nothing = { interest: 0, fine: 0 };
const both: LateTerms = {
  interest: { type: "percentage_per_month", value: valueOfPercent(1) },
  fine: { type: "percentage", value: valueOfPercent(2) },
};

it("adds nothing until the due date, or the business day after it, is over", () => {
  expect(late(both, "2026-11-10")).toEqual(nothing);
  // A Saturday: Monday is in time, and Tuesday is three days late.
  expect(late(both, "2026-11-16", "2026-11-14")).toEqual(nothing);
  expect(late(both, "2026-11-17", "2026-11-14")).toEqual({ interest: 1_00, fine: 20_00 });
  expect(late({}, "2026-12-10")).toEqual(nothing);
});

// R$ 1.000,00 due on Tuesday 10/11/2026 and paid on 24/11: 14 days, 9 of them working days (20/11 is a
// holiday).
it.each([
  ["fixed_per_day", 50, 14 * 50],
  ["percentage_per_day", valueOfPercent(0.1), 14_00],
  ["percentage_per_month", valueOfPercent(1), 4_67],
  ["percentage_per_year", valueOfPercent(12), 4_60],
  ["fixed_per_working_day", 50, 9 * 50],
  ["percentage_per_working_day", valueOfPercent(0.1), 9_00],
  ["percentage_per_month_working_days", valueOfPercent(1), 4_29],
  ["percentage_per_year_working_days", valueOfPercent(12), 4_29],
] as const)("PAY-023 counts %s", (type, value, interest) => {
  expect(late({ interest: { type, value } }, "2026-11-24").interest).toBe(interest);
  expect(interestTypes).toContain(type);
});

it.each([
  ["fixed", 7_50, 7_50],
  ["percentage", valueOfPercent(2), 20_00],
] as const)("PAY-023 adds a fine once: %s", (type, value, fine) => {
  for (const paidOn of ["2026-11-11", "2026-12-24"])
    expect(late({ fine: { type, value } }, paidOn).fine).toBe(fine);
  expect(fineTypes).toContain(type);
});

it("is exact when a float is not, and rounds half up", () => {
  const year = { interest: { type: "percentage_per_day", value: valueOfPercent(0.0333) } as const };
  expect(late(year, "2027-11-10", "2026-11-10", 99_999_999_99).interest).toBe(12_154_500_00);
  expect(
    late({ fine: { type: "percentage", value: valueOfPercent(0.5) } }, "2026-11-11", "2026-11-10", 1_00).fine,
  ).toBe(1);
});
