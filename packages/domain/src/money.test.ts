import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Cents,
  cents,
  centsMax,
  formatAmount,
  formatBrl,
  parseBrl,
  splitEqually,
  sumCents,
} from "./money.ts";

const anyCents = fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }).map(cents);

describe("cents", () => {
  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, centsMax + 1])("refuses %s", (amount) => {
    expect(() => cents(amount)).toThrow("not whole centavos");
  });

  it("has no negative zero", () => {
    expect(Object.is(cents(-0), 0)).toBe(true);
  });

  it("refuses a sum that is no longer exact", () => {
    expect(() => sumCents([centsMax, cents(1)])).toThrow("not whole centavos");
    expect(sumCents([cents(199), cents(1), cents(-50)])).toBe(150);
    expect(sumCents([])).toBe(0);
  });
});

describe("parseBrl", () => {
  it.each([
    ["1.234,56", 1_234_56],
    ["1234,56", 1_234_56],
    ["1234.56", 1_234_56],
    ["1,234.56", 1_234_56],
    ["R$ 1.234,5", 1_234_50],
    ["R$\u00a01.234,50", 1_234_50],
    ["R$1", 1_00],
    ["1.234", 1_234_00],
    ["1.234.567", 1_234_567_00],
    ["1,234,567", 1_234_567_00],
    ["1.234.567,8", 1_234_567_80],
    ["19,99", 19_99],
    ["19.99", 19_99],
    ["0,01", 1],
    ["0012,50", 12_50],
    ["-5,00", -5_00],
    ["-R$ 5,00", -5_00],
    ["R$ -5,00", -5_00],
    [" 7 ", 7_00],
    ["90.071.992.547.409,91", centsMax],
  ])("IMP-018 reads %s", (text, amount) => {
    expect(parseBrl(text)).toBe(amount);
  });

  it.each([
    ["", "nothing"],
    ["abc", "no digits"],
    ["1,234", "three decimals"],
    ["1,2345", "four decimals"],
    ["1.234,567", "three decimals after groups"],
    ["1234.567", "neither group nor decimals"],
    ["0.123", "a group cannot start with zero"],
    ["1.23.456,7", "bad group"],
    ["1.234.56", "last group of two"],
    ["12.34,56", "bad group before the comma"],
    ["1,23,456", "bad group of commas"],
    ["1.234,5.6", "mixed signs"],
    ["12,", "no decimals after the sign"],
    [",50", "no reais before the sign"],
    ["1 234,56", "blank inside"],
    ["--5", "two signs"],
    ["-R$ -5", "two signs"],
    ["5-", "sign behind"],
    ["1e3", "exponent"],
    ["US$ 5", "another currency"],
    ["90.071.992.547.409,92", "past the exact range"],
    ["9".repeat(400), "far past the exact range"],
  ])("IMP-018 does not read %s: %s", (text) => {
    expect(parseBrl(text)).toBeUndefined();
  });

  it("reads back every amount it formats", () => {
    fc.assert(
      fc.property(anyCents, (amount) => {
        expect(parseBrl(formatBrl(amount))).toBe(amount);
        expect(parseBrl(formatAmount(amount))).toBe(amount);
      }),
    );
  });

  it("takes time in proportion to hostile text", () => {
    expect(parseBrl(`${"1.".repeat(2_000_000)}x`)).toBeUndefined();
    expect(parseBrl("1,".repeat(2_000_000))).toBeUndefined();
  });
});

describe("formatBrl", () => {
  it.each([
    [0, "R$ 0,00"],
    [5, "R$ 0,05"],
    [99, "R$ 0,99"],
    [100_00, "R$ 100,00"],
    [1_234_56, "R$ 1.234,56"],
    [1_000_000_00, "R$ 1.000.000,00"],
    [-1_234_56, "-R$ 1.234,56"],
  ])("formats %i as %s with a normal space", (amount, text) => {
    expect(formatBrl(cents(amount))).toBe(text);
  });

  it("agrees with the system's own Brazilian format", () => {
    const system = new Intl.NumberFormat("pt-BR", { minimumFractionDigits: 2 });
    fc.assert(
      fc.property(fc.integer({ min: -1e13, max: 1e13 }), (amount) => {
        expect(formatAmount(cents(amount))).toBe(system.format(amount === 0 ? 0 : amount / 100));
      }),
    );
  });
});

describe("splitEqually", () => {
  it("gives leftover centavos to the first shares", () => {
    expect(splitEqually(cents(100), 3)).toEqual([34, 33, 33]);
  });

  it.each([0, -1, 1.5])("refuses %s shares", (count) => {
    expect(() => splitEqually(cents(100), count)).toThrow("nothing to split");
  });

  it("always adds up to the total, with shares one centavo apart at most", () => {
    const positive = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).map(cents);
    fc.assert(
      fc.property(positive, fc.integer({ min: 1, max: 60 }), (total, count) => {
        const shares: Cents[] = splitEqually(total, count);
        expect(sumCents(shares)).toBe(total);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
