import { describe, expect, it } from "vitest";
import type { CalendarDate } from "./calendar.ts";
import { compareBanks, largestShares, percentageOf, refusePeriod } from "./indicators.ts";

const day = (text: string) => text as CalendarDate;

describe("period", () => {
  it.each([
    ["2026-01-01", "2026-12-31", undefined],
    ["2028-01-01", "2028-12-31", undefined],
    ["2026-01-01", "2027-01-01", undefined],
    ["2026-01-01", "2027-01-02", "period_too_long"],
    ["2026-01-01", "2027-01-31", "period_too_long"],
    ["2026-11-01", "2026-11-02", undefined],
    ["2026-11-01", "2026-11-01", "period_too_short"],
    ["2026-11-02", "2026-11-01", "period_too_short"],
    ["2026-12-01", "2025-11-30", "period_too_short"],
  ])("IND-003 IND-004 checks %s to %s: %s", (start, end, refusal) => {
    expect(refusePeriod(day(start), day(end))).toBe(refusal);
  });
});

it("IND-013 a percentage has two decimals, rounds half up, and exists for a total of zero too", () => {
  expect(percentageOf(1, 3)).toBe(33.33);
  expect(percentageOf(2, 3)).toBe(66.67);
  expect(percentageOf(1, 8)).toBe(12.5);
  expect(percentageOf(1, 32)).toBe(3.13);
  expect(percentageOf(7, 7)).toBe(100);
  expect(percentageOf(0, 0)).toBe(0);
});

describe("number of banks in a chart", () => {
  const shares = [
    { name: "B", quantity: 5 },
    { name: "A", quantity: 5 },
    { name: "C", quantity: 9 },
    { name: "D", quantity: 1 },
    { name: "E", quantity: 2 },
    { name: "F", quantity: 3 },
  ];

  it("IND-012 keeps the four largest, equal ones by name, and joins the rest", () => {
    expect(largestShares(shares, 4)).toEqual([
      { name: "C", quantity: 9 },
      { name: "A", quantity: 5 },
      { name: "B", quantity: 5 },
      { name: "F", quantity: 3 },
      { name: "Outros", quantity: 3 },
    ]);
    expect(largestShares(shares.slice(0, 4), 4).map(({ name }) => name)).toEqual(["C", "A", "B", "D"]);
    expect(largestShares([], 4)).toEqual([]);
  });

  it("IND-011 IND-012 joins arrivals and returns by bank: five with the most returned, and the rest as one", () => {
    const returned = [
      { name: "E", quantity: 7 },
      { name: "G", quantity: 4 },
      { name: "A", quantity: 4 },
    ];
    expect(compareBanks(shares, returned)).toEqual([
      { name: "E", finished: 2, returned: 7 },
      { name: "A", finished: 5, returned: 4 },
      { name: "G", finished: 0, returned: 4 },
      { name: "C", finished: 9, returned: 0 },
      { name: "B", finished: 5, returned: 0 },
      { name: "Outros", finished: 4, returned: 0 },
    ]);
    expect(compareBanks([], [])).toEqual([]);
    expect(compareBanks([{ name: "D", quantity: 4 }], shares).at(-1)).toEqual({
      name: "Outros",
      finished: 4,
      returned: 1,
    });
  });
});
