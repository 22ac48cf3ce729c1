import { isValidCnpj, isValidCpf } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { isCNPJ, isCPF } from "validation-br";
import { describe, expect, it } from "vitest";
import {
  formatTaxId,
  isCnpj,
  isCpf,
  isObfuscatedTaxId,
  isTaxId,
  maskTaxId,
  meansTaxId,
  normaliseTaxId,
  suggestTaxId,
  taxIdKind,
} from "./tax-id.ts";

const validCpfs =
  "12345678909 52998224725 11144477735 93541134780 00000000191 98765432100 86288366757 529.982.247-25".split(
    " ",
  );
const invalidCpfs = [
  "12345678900",
  "52998224726",
  ...Array.from({ length: 10 }, (_, digit) => String(digit).repeat(11)),
  "5299822472",
  "529982247255",
  "1234567890a",
  "",
];
const validCnpjs = (
  "00000000000191 11222333000181 12345678000195 27084098000169 00000000000272 60746948000112 00360305000104 " +
  "12ABC34501DE35 ABCDEFGHIJKL80 A1B2C3D4000193 1K2L3M4N000235 0A0B0C0D0E0F22 ZZZZZZZZ000191 Q0SLFMBD7VX439 " +
  "AB12CD34006700 AB12CD34000001 AB12CD34000770 AAAAAAAAAAAA45 12abc34501de35 12.ABC.345/01DE-35"
).split(" ");
const invalidCnpjs = [
  "12345678000190",
  "12345678000159",
  "00000000000000",
  "11111111111111",
  "99999999999999",
  "1122233300018",
  "123456780001955",
  "12ABC34501DE36",
  "12ABC34501DE53",
  "12ABC34501DEA5",
  "12ABC34501DE3",
  "12ABC34501DÉ35",
  "12-ABC-345",
];

describe("tax ids", () => {
  it.each(validCpfs)("TRF-023 accepts the CPF %s", (cpf) => {
    expect(isCpf(cpf)).toBe(true);
    expect(taxIdKind(cpf)).toBe("CPF");
  });

  it.each(invalidCpfs)("TRF-023 refuses the CPF '%s'", (cpf) => {
    expect(isCpf(cpf)).toBe(false);
    expect(isTaxId(cpf)).toBe(false);
  });

  it.each(validCnpjs)("TRF-023 accepts the CNPJ %s", (cnpj) => {
    expect(isCnpj(cnpj)).toBe(true);
    expect(taxIdKind(cnpj)).toBe("CNPJ");
  });

  it.each(invalidCnpjs)("TRF-023 refuses the CNPJ %s", (cnpj) => {
    expect(isCnpj(cnpj)).toBe(false);
    expect(isTaxId(cnpj)).toBe(false);
  });

  it("agrees with two other implementations on any CPF", () => {
    const root = fc.stringMatching(/^\d{9}$/);
    fc.assert(
      fc.property(root, fc.integer({ min: 0, max: 99 }), (nine, digits) => {
        const cpf = nine + String(digits).padStart(2, "0");
        expect(isCpf(cpf)).toBe(isValidCpf(cpf));
        expect(isCpf(cpf)).toBe(isCPF(cpf));
      }),
    );
  });

  it("agrees with two other implementations on the check digits of any CNPJ with letters", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Z]{12}$/), (root) => {
        fc.pre(!/^(.)\1*$/.test(root));
        const right = Array.from({ length: 100 }, (_, pair) => root + String(pair).padStart(2, "0")).filter(
          isCnpj,
        );
        expect(right).toHaveLength(1);
        expect(isValidCnpj(right[0] as string, { version: 2 })).toBe(true);
        expect(isCNPJ(right[0] as string)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ["52998224725", "529.982.247-25", "***.982.247-**"],
    ["12abc34501de35", "12.ABC.345/01DE-35", "12.ABC.345/01DE-35"],
    ["123", "123", "123"],
  ])("ruling D15 shows %s as %s and masked as %s", (id, formatted, masked) => {
    expect(formatTaxId(id)).toBe(formatted);
    expect(maskTaxId(id)).toBe(masked);
  });

  it.each([
    "***.456.789-**",
    "***456789**",
    "•••.456.789-••",
    "XXX.456.789-XX",
    "xxx45678900",
    "***.***.***-**",
  ])("TRF-027 recognises %s as obfuscated", (text) => {
    expect(isObfuscatedTaxId(text)).toBe(true);
  });

  it.each(["529.982.247-25", "12.ABC.345/01DE-35", "XX.XXX.XXX/0001-91", "", "123", "*", "***"])(
    "TRF-027 does not count '%s' as obfuscated",
    (text) => {
      expect(isObfuscatedTaxId(text)).toBe(false);
    },
  );

  it.each<[string, string | undefined, string]>([
    ["191", undefined, "too short to decide"],
    ["208000100", undefined, "BRB's headquarters or a CPF"],
    ["360305000104", "00360305000104", "Caixa's CNPJ without zeros"],
    ["1222333000181", undefined, "no CNPJ"],
    ["52998224725", undefined, "already valid"],
    ["52998224726", undefined, "wrong digit"],
    ["12ABC34501DE35", undefined, "complete"],
    ["", undefined, "nothing"],
  ])("ruling D16 repairs %s to %s: %s", (text, whole, _why) => {
    expect(suggestTaxId(text)).toBe(whole);
  });

  it("ruling D16 restores up to four lost zeros of any CPF", () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 99_999_999 }), (number) => {
        const root = String(number).padStart(9, "0");
        const cpf = Array.from({ length: 100 }, (_, pair) => root + String(pair).padStart(2, "0")).find(
          isCpf,
        );
        fc.pre(cpf !== undefined && cpf.slice(5, 9) !== "0001");
        expect(suggestTaxId(String(Number(cpf)))).toBe(cpf);
      }),
    );
  });

  it("normalises idempotently and keeps the characters that make a document wrong", () => {
    expect(normaliseTaxId(" 12.abc.345/01de-35 ")).toBe("12ABC34501DE35");
    fc.assert(
      fc.property(fc.string(), (text) => normaliseTaxId(normaliseTaxId(text)) === normaliseTaxId(text)),
    );
  });
});

describe("match of a text with a document", () => {
  it("rejects an empty text, another document and another part of a CPF", () => {
    expect(meansTaxId(null, "52998224725")).toBe(false);
    expect(meansTaxId("", "")).toBe(false);
    expect(meansTaxId("52998224725", null)).toBe(false);
    expect(meansTaxId("111.444.777-35", "52998224725")).toBe(false);
    expect(meansTaxId("***.982.248-**", "52998224725")).toBe(false);
    expect(meansTaxId("12.ABC.345/01DE-35", "11222333000181")).toBe(false);
  });

  it("accepts a CPF or a CNPJ of digits or letters, without punctuation, with it and masked", () => {
    for (const taxId of ["52998224725", "11222333000181", "12ABC34501DE35"])
      for (const text of [taxId, formatTaxId(taxId), maskTaxId(taxId), formatTaxId(taxId).toLowerCase()])
        expect(meansTaxId(text, taxId), text).toBe(true);
  });
});
