import { inventedInstitution } from "@malote/domain/own-institution";
import { expect, it } from "vitest";
import { readConfig, WrongConfiguration } from "./config.ts";

const serraAzul = {
  MALOTE_ISPB: "11223344",
  MALOTE_BANK_CODE: "987",
  MALOTE_INSTITUTION_NAME: "Serra Azul Pagamentos",
};

function problemsOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof WrongConfiguration) return error.problems.join("\n");
    throw error;
  }
  return "";
}

it("takes the institution from the environment, and an invented one in the sandbox without it", () => {
  expect(readConfig({}).institution).toEqual(inventedInstitution);
  expect(readConfig(serraAzul).institution).toEqual({
    ispb: "11223344",
    code: "987",
    name: "Serra Azul Pagamentos",
  });
  // The fictitious institution has another name here.
  const renamed = { MALOTE_ISPB: "99999593", MALOTE_BANK_CODE: "593", MALOTE_INSTITUTION_NAME: "Casa IP" };
  expect(readConfig(renamed).institution.name).toBe("Casa IP");
});

it.each([
  ["a listed bank under its everyday name", "18236120", "260", "Nubank"],
  ["a listed bank under its official name", "60701190", "341", "ITAÚ UNIBANCO S.A."],
  ["whose code is the invented one's", "27084098", "593", "TRANSFEERA INSTITUIÇÃO DE PAGAMENTO S.A."],
])("may be %s", (_, ispb, code, name) => {
  const env = { MALOTE_ISPB: ispb, MALOTE_BANK_CODE: code, MALOTE_INSTITUTION_NAME: name };
  expect(readConfig(env).institution).toEqual({ ispb, code, name });
});

it.each([
  [{ MALOTE_ISPB: "1122334" }, "MALOTE_ISPB deve ter 8 dígitos"],
  [{ MALOTE_ISPB: "1122334A" }, "MALOTE_ISPB deve ter 8 dígitos"],
  [{ MALOTE_BANK_CODE: "87" }, "MALOTE_BANK_CODE deve ter 3 dígitos"],
  [{ MALOTE_BANK_CODE: "000" }, "MALOTE_BANK_CODE deve ter 3 dígitos"],
  [{ MALOTE_INSTITUTION_NAME: "IP" }, "MALOTE_INSTITUTION_NAME deve ter de 3 a 60"],
  [{ MALOTE_INSTITUTION_NAME: "a".repeat(61) }, "MALOTE_INSTITUTION_NAME deve ter de 3 a 60"],
  [{ MALOTE_INSTITUTION_NAME: 'Casa"><b>' }, "MALOTE_INSTITUTION_NAME deve ter de 3 a 60"],
  [{ MALOTE_BANK_CODE: "" }, "informe as três ou nenhuma"],
  [{ MALOTE_ISPB: "", MALOTE_BANK_CODE: "" }, "informe as três ou nenhuma"],
  [
    { MALOTE_ISPB: "60701190", MALOTE_BANK_CODE: "341" },
    "MALOTE_ISPB 60701190 é de Itaú Unibanco, e não de Serra Azul",
  ],
  [
    { MALOTE_ISPB: "60701190", MALOTE_INSTITUTION_NAME: "Itaú" },
    "MALOTE_BANK_CODE deve ser 341, o código de Itaú Unibanco, e não 987",
  ],
  [{ MALOTE_BANK_CODE: "341" }, "MALOTE_BANK_CODE 341 é de Itaú Unibanco, com o ISPB 60701190"],
  // The invented one's code belongs to another institution.
  [{ MALOTE_BANK_CODE: "593" }, "com o ISPB 27084098"],
  [{ MALOTE_ISPB: "99999593" }, "é o da instituição inventada da sandbox, de código 593"],
])("refuses to start with %o", (changes, sentence) => {
  expect(problemsOf({ ...serraAzul, ...changes })).toContain(sentence);
});

it("requires it in production, where the invented one is not valid", () => {
  const production = { MALOTE_ENV: "production" };
  expect(problemsOf(production)).toContain("são obrigatórias em produção");
  expect(problemsOf({ ...production, ...serraAzul })).not.toMatch(/MALOTE_ISPB|MALOTE_BANK_CODE/);
  const invented = { MALOTE_ISPB: "99999593", MALOTE_BANK_CODE: "593", MALOTE_INSTITUTION_NAME: "Casa IP" };
  expect(problemsOf({ ...production, ...invented })).toContain("é o da instituição inventada da sandbox");
});
