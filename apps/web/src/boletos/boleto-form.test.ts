import type { CalendarDate } from "@malote/domain/calendar";
import { describe, expect, it } from "vitest";
import { emptyForm, lineOfTyped, readWholeLine, withCode } from "./boleto-form.ts";

const today = "2026-11-19" as CalendarDate;
const of150 = "75691432120101234567280000123010417230000015000";
const withoutValue = "26090000010000000000000000000000316560000000000";
const otherWithoutValue = "07790000090000123456678901234563100000000000000";

describe("the value beside a code (BIL-016, BIL-017)", () => {
  const typed = (barcode: string, value: number | null) => ({ ...emptyForm, barcode, value });

  it.each([
    ["BIL-017 a code brings its own", typed("", null), of150, 15_000],
    ["BIL-017 its own overwrites a typed one", typed(withoutValue, 5_000), of150, 15_000],
    ["BIL-017 a code without value overwrites too", typed(of150, 15_000), withoutValue, null],
    ["BIL-017 another code without value asks anew", typed(withoutValue, 5_000), otherWithoutValue, null],
    ["a code's value disappears with the code", typed(of150, 15_000), of150.slice(0, -1), null],
    [
      "a typed value stays while a digit is corrected",
      typed(withoutValue, 5_000),
      withoutValue.slice(1),
      5_000,
    ],
    ["a typed value stays with the corrected code", typed("123", 5_000), withoutValue, 5_000],
    ["wrong digits change nothing", typed("123", 5_000), "1234", 5_000],
  ])("%s", (_case, form, barcode, value) => {
    expect({ ...form, ...withCode(form, barcode, today) }).toMatchObject({ barcode, value });
  });

  it("the same code in another notation changes no value", () => {
    const form = typed(withoutValue, 5_000);
    expect(withCode(form, `${withoutValue} `, today)).toEqual({ barcode: `${withoutValue} ` });
  });
});

describe("forty-four digits", () => {
  const barcode = "75694172300000150001432101012345678000012301";

  it("are no code while more digits may follow, and become the line when the field is left", () => {
    expect(readWholeLine(barcode, today)).toBeUndefined();
    const line = lineOfTyped(barcode, today);
    expect(line).toBe("75691.43212 01012.345672 80000.123010 4 17230000015000");
    expect(readWholeLine(line, today)?.barcode).toBe(barcode);
  });

  it("stay as typed when they are no barcode", () => {
    expect(lineOfTyped(`${barcode.slice(1)}9`, today)).toBe(`${barcode.slice(1)}9`);
  });
});
