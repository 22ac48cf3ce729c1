import { expect, it } from "vitest";
import { placesBelowLimits, readLimitTable } from "./limit-table.ts";
import { defaultLimits } from "./payment-limits.ts";

const all = (value: number) => ({ PIX: value, TEV: value, TED: value, BILLET: value });

it("SES-074 reads limits by period and by kind of payment, and keeps the others", () => {
  expect(readLimitTable("DAILY=500, DAILY.PIX=7,NIGHTLY=1,NIGHTLY=2,", defaultLimits)).toEqual({
    table: { ...defaultLimits, DAILY: { ...all(500), PIX: 7 }, NIGHTLY: all(2) },
    unreadable: [],
  });
});

it("SES-074 reads the valid entries beside an invalid one", () => {
  const { table, unreadable } = readLimitTable(
    "DAY=1,DAILY.CARD=1,DAILY=9007199254740992,WEEKEND=3",
    defaultLimits,
  );
  expect(table).toEqual({ ...defaultLimits, WEEKEND: all(3) });
  expect(unreadable).toEqual(["DAY=1", "DAILY.CARD=1", "DAILY=9007199254740992"]);
});

it("SES-074 reports each maximum below its limit", () => {
  const { table: maxima } = readLimitTable("DAILY.TED=1,NIGHTLY.PIX=1", defaultLimits);
  expect(placesBelowLimits(maxima, defaultLimits)).toEqual(["DAILY.TED", "NIGHTLY.PIX"]);
  expect(placesBelowLimits(defaultLimits, defaultLimits)).toEqual([]);
});
