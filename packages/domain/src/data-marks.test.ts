import { expect, it } from "vitest";
import { currentMarks, type DataMark, markText, withMarks } from "./data-marks.ts";

const mark = (given: Partial<DataMark> = {}): DataMark => ({
  field: "account_digit",
  origin: "suggested",
  before: "1",
  after: "8",
  by: { id: "p", name: "Rui" },
  at: "2026-08-13T15:00:00.000Z",
  ...given,
});

it("removes a mark when a person replaces its value", () => {
  expect(
    currentMarks([mark(), mark({ field: "agency", after: "0001" })], (field) =>
      field === "agency" ? "0001" : "9",
    ),
  ).toEqual([mark({ field: "agency", after: "0001" })]);
});

it("keeps the first value when a field is corrected twice", () => {
  expect(withMarks([mark()], [mark({ before: "8", after: "3", origin: "corrected" })])).toEqual([
    mark({ after: "3", origin: "corrected" }),
  ]);
});

it("keeps the sheet's value of a field that a person changes again, and removes the mark if the value is restored", () => {
  const guessed = mark({ origin: "guessed", before: "529982247", after: "00529982247", field: "cpf_cnpj" });
  expect(currentMarks([guessed], () => "11144477735", ["cpf_cnpj"])).toEqual([guessed]);
  const changed = mark({ origin: "changed", before: "00529982247", after: "11144477735", field: "cpf_cnpj" });
  expect(withMarks([guessed], [changed])).toEqual([{ ...changed, before: "529982247" }]);
  expect(withMarks([changed], [{ ...changed, before: "11144477735", after: "00529982247" }])).toEqual([]);
});

it.each([
  [{}, "Dado sugerido, dígito da conta: 1 → 8"],
  [{ before: null }, "Dado sugerido, dígito da conta: vazio → 8"],
  [
    { field: "account_type", origin: "corrected", before: "Conta C", after: "CONTA_CORRENTE" },
    "Corrigido em grupo, tipo de conta: Conta C → Conta corrente",
  ],
  [
    { field: "payment_date", origin: "corrected", before: null, after: "2026-08-21" },
    "Corrigido em grupo, data: hoje → 21/08/2026",
  ],
  [
    { field: "value", origin: "guessed", before: "1000", after: "100000" },
    "Dado completado, valor: R$ 10,00 → R$ 1.000,00",
  ],
  [
    { field: "value", origin: "changed", before: "1000", after: "100000" },
    "Alterado por Rui, valor: R$ 10,00 → R$ 1.000,00",
  ],
  [
    { field: "pix_key", before: "sem-arroba", after: "52998224725" },
    "Dado sugerido, chave Pix: sem-arroba → ***.982.247-**",
  ],
  [
    {
      field: "barcode",
      origin: "changed",
      before: "ilegível",
      after: "75694172300000150001432101012345678000012301",
    },
    "Alterado por Rui, código do boleto: ilegível → 75691.43212 01012.345672 80000.123010 4 17230000015000",
  ],
  [{ origin: "changed", by: null, before: null }, "Alterado, dígito da conta: vazio → 8"],
  [
    { field: "value", before: "R$ 1.234,5", after: "123450" },
    "Dado sugerido, valor: R$ 1.234,5 → R$ 1.234,50",
  ],
  [
    { field: "payment_date", before: "30/11", after: "2026-11-30" },
    "Dado sugerido, data: 30/11 → 30/11/2026",
  ],
] as const)("describes the field and its values: %j", (given, text) => {
  expect(markText(mark(given)).replaceAll("\u00a0", " ")).toBe(text);
});
