import { describe, expect, it } from "vitest";
import {
  cutText,
  formatAmount,
  formatDate,
  formatDateTime,
  formatMoney,
  formatNear,
  plainMoney,
  readDate,
} from "./format.ts";

describe("dates on screen", () => {
  it.each([
    ["2026-11-20", "20/11/2026"],
    ["2026-01-02", "02/01/2026"],
    // An instant is shown as its day in São Paulo: still the day before there.
    ["2026-11-21T02:59:00Z", "20/11/2026"],
    ["2026-11-21T03:00:00Z", "21/11/2026"],
  ])("SES-072 %s is shown as %s", (value, shown) => {
    expect(formatDate(value)).toBe(shown);
  });

  it.each([
    ["2026-11-20T19:42:00Z", "20/11/2026 16:42"],
    ["2026-11-20T12:05:59.999Z", "20/11/2026 09:05"],
    ["2026-11-21T02:59:00Z", "20/11/2026 23:59"],
    ["2026-11-21T03:00:00Z", "21/11/2026 00:00"],
  ])("SES-072 %s is shown with its time as %s", (instant, shown) => {
    expect(formatDateTime(instant)).toBe(shown);
  });

  it.each([
    // It is 20/11/2026 23:30 in São Paulo, and the 21st in UTC.
    ["2026-11-21T02:20:00Z", "hoje 23:20"],
    ["2026-11-20T03:00:00Z", "hoje 00:00"],
    ["2026-11-20T02:59:00Z", "ontem 23:59"],
    ["2026-11-19T12:10:00Z", "ontem 09:10"],
    ["2026-11-19T02:59:00Z", "18/11"],
    ["2026-01-01T03:00:00Z", "01/01"],
    // Another year is always shown.
    ["2026-01-01T02:59:00Z", "31/12/2025"],
  ])("SES-072 shortens the recent %s to %s in a list", (instant, shown) => {
    expect(formatNear(instant, new Date("2026-11-21T02:30:00Z"))).toBe(shown);
  });

  it.each([
    // Summer time in São Paulo, two hours behind UTC, ended for good in February 2019.
    ["2018-12-01T01:30:00Z", "30/11/2018 23:30"],
    ["2018-12-01T02:00:00Z", "01/12/2018 00:00"],
    ["2020-12-01T02:59:00Z", "30/11/2020 23:59"],
  ])("SES-072 %s is shown in the time that São Paulo had then, %s", (instant, shown) => {
    expect(formatDateTime(instant)).toBe(shown);
    expect(formatDate(instant)).toBe(shown.slice(0, 10));
  });

  it.each([
    ["20/11/2026", "2026-11-20"],
    ["20112026", "2026-11-20"],
    ["20-11-2026", "2026-11-20"],
    ["20.11.2026", "2026-11-20"],
    ["20 11 2026", "2026-11-20"],
    [" 2/1/2026 ", "2026-01-02"],
    ["2026-11-20", "2026-11-20"],
    ["29/02/2028", "2028-02-29"],
    ["29/02/2026", null],
    ["31/11/2026", null],
    ["20x11x2026", null],
    ["20/11-2026", null],
    ["20/11/26", null],
    ["20/11/0026", null],
    ["2026-11-20T00:00:00Z", null],
    ["", null],
  ])("reads '%s' as %s", (typed, day) => {
    expect(readDate(typed)).toBe(day);
  });

  it("SES-072 reads a shown date back as the value that calls carry", () => {
    for (const day of ["2026-11-20", "2028-02-29", "2026-01-02"]) expect(readDate(formatDate(day))).toBe(day);
  });
});

describe("amounts on screen", () => {
  it.each([
    [123_456, "R$ 1.234,56"],
    [0, "R$ 0,00"],
    [5, "R$ 0,05"],
    [50, "R$ 0,50"],
    [100, "R$ 1,00"],
    [99_999, "R$ 999,99"],
    [100_000, "R$ 1.000,00"],
    [123_456_789_012, "R$ 1.234.567.890,12"],
    [-123_456, "-R$ 1.234,56"],
    // The largest exact amount: a float loses no digit of it.
    [Number.MAX_SAFE_INTEGER, "R$ 90.071.992.547.409,91"],
  ])("SES-073 %d centavos are shown as %s", (cents, shown) => {
    expect(formatMoney(cents)).toBe(shown.replace("R$ ", "R$\u00a0"));
    expect(plainMoney(cents)).toBe(shown);
    expect(`R$ ${formatAmount(Math.abs(cents))}`).toBe(shown.replace("-", ""));
  });
});

it.each([
  ["Vinte letras ao todo", 20, "Vinte letras ao todo"],
  ["Vinte letras ao todo!", 20, "Vinte letras ao todo…"],
  ["Folha de maio", 6, "Folha…"],
])("BAT-019 BAT-081 '%s' cut at %i is '%s'", (text, max, shown) => {
  expect(cutText(text, max)).toBe(shown);
});
