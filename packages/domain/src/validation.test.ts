import { describe, expect, it } from "vitest";
import { findBankByCode } from "./banks.ts";
import {
  accountShapeOf,
  allowedValidationTypes,
  checkData,
  type DataToValidate,
  errorOfRefusal,
  errorsOfKey,
  microDepositMethod,
  normaliseDataToValidate,
  problemsOfData,
  scopeOfValidation,
  validationStatus,
  validationStatusNames,
} from "./validation.ts";
import { validationErrorText } from "./validation-texts.ts";

const nothing: DataToValidate = {
  name: null,
  taxId: null,
  bankIspb: null,
  agency: null,
  agencyDigit: null,
  account: null,
  accountDigit: null,
  accountType: null,
  pixKeyType: null,
  pixKey: null,
  pixKeyValidation: null,
};
const account = (changes: Partial<DataToValidate> = {}) =>
  normaliseDataToValidate({
    ...nothing,
    name: "Padaria Sol Nascente",
    taxId: "11222333000181",
    bankIspb: "60701190",
    agency: "1234",
    account: "56789",
    accountDigit: "7",
    accountType: "CONTA_CORRENTE",
    ...changes,
  });
const key = (pixKeyType: string | null, pixKey: string, changes: Partial<DataToValidate> = {}) =>
  normaliseDataToValidate({ ...nothing, pixKeyType, pixKey, ...changes });
const facts = { blocked: (taxId: string) => taxId === "73190528497", publicEntityNeedsCaixa: true };
const said = (data: DataToValidate) =>
  problemsOfData(data).map((problem) => [problem.field, validationErrorText(problem)]);

describe("types of validation", () => {
  it.each([
    [true, true, ["BASIC", "MICRO_DEPOSIT"]],
    [true, false, ["BASIC"]],
    [false, true, ["MICRO_DEPOSIT"]],
    [false, false, []],
  ])("VAL-002 VAL-003 follow the settings, the basic one first: %s and %s", (basic, deposit, types) => {
    expect(allowedValidationTypes({ uses_basic_validation: basic, uses_micro_deposit: deposit })).toEqual(
      types,
    );
  });
});

describe("coverage of an answer", () => {
  it.each([
    ["Itaú", account(), true],
    ["Inter, which publishes no rule", account({ bankIspb: "00416968" }), false],
    ["Caixa, old number", account({ bankIspb: "00360305", account: "00100000448" }), true],
    ["Caixa, new number", account({ bankIspb: "00360305", account: "1288000000448" }), false],
    ["Nubank", account({ bankIspb: "18236120", agency: "1" }), true],
  ])("shows for %s whether its check digit was checked", (_, data, wasLooked) => {
    const { checked, notChecked } = scopeOfValidation("BASIC", data);
    expect([checked.includes("account_digit"), notChecked.includes("account_digit")]).toEqual([
      wasLooked,
      !wasLooked,
    ]);
  });

  it("VAL-018 counts the other bank's comparisons only after a deposit", () => {
    const proven = ["account_exists", "account_holder"];
    expect(scopeOfValidation("BASIC", account()).notChecked).toEqual([...proven, "name"]);
    const { checked, notChecked } = scopeOfValidation("MICRO_DEPOSIT", account({ name: null }));
    expect(checked).toEqual(expect.arrayContaining(proven));
    expect(notChecked).toEqual([]);
  });
});

describe("form rules", () => {
  it("VAL-004 accept complete data, with and without a name", () => {
    expect(said(account())).toEqual([]);
    expect(said(account({ name: " " }))).toEqual([]);
    expect(said(key("EMAIL", "Maria@Exemplo.com.br"))).toEqual([]);
  });

  it("VAL-004 require three letters in a given name", () => {
    expect(said(account({ name: "Li" }))).toEqual([["name", "O nome deve ter no mínimo 3 letras"]]);
    expect(said(account({ name: "Ana" }))).toEqual([]);
    expect(said(key("EMAIL", "li@exemplo.com.br", { name: "L. 123" }))).toEqual([
      ["name", "O nome deve ter no mínimo 3 letras"],
    ]);
  });

  it("VAL-005 require a valid document for an account, and refuse an invalid one everywhere", () => {
    expect(said(account({ taxId: null }))).toEqual([["cpf_cnpj", "CPF ou CNPJ inválido"]]);
    expect(said(account({ taxId: "11222333000180" }))).toEqual([["cpf_cnpj", "CPF ou CNPJ inválido"]]);
    expect(said(account({ taxId: "529.982.247-24" }))).toEqual([["cpf_cnpj", "CPF ou CNPJ inválido"]]);
    expect(said(account({ taxId: "529.982.247-25" }))).toEqual([]);
    expect(said(key("EMAIL", "a@b.co", { taxId: "1" }))).toEqual([["cpf_cnpj", "CPF ou CNPJ inválido"]]);
  });

  it("VAL-006 require bank and type of an account", () => {
    expect(said(account({ bankIspb: null, accountType: null }))).toEqual([
      ["bank", "Informe o banco"],
      ["account_type", "Informe o tipo de conta"],
    ]);
    expect(said(account({ bankIspb: "99999999" }))).toEqual([["bank", "Informe o banco"]]);
  });

  it.each([
    ["60701190", { agency: "12345" }, "agency", "A agência deste banco tem no máximo 4 números"],
    ["60701190", { account: "567890" }, "account", "A conta deste banco tem no máximo 5 números"],
    ["60701190", { accountDigit: "X" }, "account_digit", "O dígito da conta tem 1 caractere: um número"],
    ["00000000", { accountDigit: "P" }, "account_digit", "O dígito da conta tem 1 caractere: um número ou X"],
    ["60746948", { agencyDigit: "X" }, "agency_digit", "O dígito da agência tem 1 caractere: um número ou P"],
    ["00416968", { account: "1234567890123" }, "account", "A conta deste banco tem no máximo 12 números"],
    [
      "00416968",
      { accountDigit: "12" },
      "account_digit",
      "O dígito da conta tem 1 caractere: um número ou uma letra",
    ],
    [
      "00416968",
      { accountDigit: "" },
      "account_digit",
      "O dígito da conta tem 1 caractere: um número ou uma letra",
    ],
    ["00416968", { agency: "" }, "agency", "Informe a agência, somente números"],
    ["00416968", { account: "12a4" }, "account", "Informe a conta, somente números"],
  ])("VAL-007 follow the format of bank %s: %j", (bankIspb, changes, field, text) => {
    expect(said(account({ bankIspb, ...changes }))).toEqual([[field, text]]);
  });

  it.each([
    ["001", 4, 8, "X"],
    ["033", 4, 8, ""],
    ["041", 6, 9, ""],
    ["104", 4, 13, ""],
    ["197", 4, 13, "XPQ"],
    ["237", 4, 7, "P"],
    ["260", 4, 13, ""],
    ["341", 4, 5, ""],
    ["077", 4, 12, "XPQ"],
  ])(
    "VAL-007 bank %s has agencies of %i numbers, accounts of %i, and digits of '%s' beside numbers",
    (code, agencyMax, accountMax, letters) => {
      const bankIspb = findBankByCode(code)?.ispb ?? "";
      const fields = (agencyLength: number, length: number, digit: string) => {
        const numbers = { agency: "1".repeat(agencyLength), account: "1".repeat(length) };
        const data = account({ bankIspb, ...numbers, agencyDigit: digit, accountDigit: digit });
        return problemsOfData(data).map(({ field }) => field);
      };
      expect(fields(agencyMax, accountMax, "1")).toEqual([]);
      expect(fields(agencyMax + 1, accountMax + 1, "1")).toEqual(["agency", "account"]);
      for (const letter of "XPQ")
        expect([letter, fields(agencyMax, accountMax, letter)]).toEqual([
          letter,
          letters.includes(letter) ? [] : ["agency_digit", "account_digit"],
        ]);
    },
  );

  it("VAL-007 ignore leading zeros, and use characters and lengths by bank, with a general default", () => {
    expect(
      said(account({ bankIspb: "00000000", agency: "0071", account: "0000000071", accountDigit: "x" })),
    ).toEqual([]);
    expect(
      said(account({ bankIspb: "92702067", agency: "266412", account: "358507671", accountDigit: "8" })),
    ).toEqual([]);
    expect(accountShapeOf(null)).toEqual(accountShapeOf("999"));
    expect(accountShapeOf("999")).toMatchObject({ agencyMax: 4, accountMax: 12 });
  });

  it.each([
    ["CPF", "52998224724"],
    ["CNPJ", "11222333000182"],
    ["EMAIL", "maria@"],
    ["TELEFONE", "1133334444"],
    ["CHAVE_ALEATORIA", "123"],
    ["EMAIL", ""],
    // Each would be right for another type.
    ["EMAIL", "52998224725"],
    ["TELEFONE", "maria@exemplo.com.br"],
    ["CHAVE_ALEATORIA", "11987654321"],
    [null, "nada disso"],
  ])("VAL-008 require a key of its type: %s %s", (type, text) => {
    expect(said(key(type, text))).toEqual([["pix_key", "A chave Pix deve ser válida"]]);
  });

  it("VAL-009 distinguish CPF and CNPJ by the value", () => {
    expect(key("CPF", "11.222.333/0001-81")).toMatchObject({ pixKeyType: "CNPJ", pixKey: "11222333000181" });
    expect(key("CNPJ", "529.982.247-25")).toMatchObject({ pixKeyType: "CPF", pixKey: "52998224725" });
    expect(key(null, "12.ABC.345/01DE-35")).toMatchObject({ pixKeyType: "CNPJ", pixKey: "12ABC34501DE35" });
  });

  it("VAL-010 accept only a valid document as that of the key's owner", () => {
    expect(said(key("EMAIL", "a@b.co", { pixKeyValidation: "529.982.247-25" }))).toEqual([]);
    expect(said(key("EMAIL", "a@b.co", { pixKeyValidation: "529.982.247-24" }))).toEqual([
      ["pix_key_validation", "CPF ou CNPJ inválido"],
    ]);
    // Ruling D15: a masked one identifies no person.
    expect(key("EMAIL", "a@b.co", { pixKeyValidation: "***.982.247-**" }).pixKeyValidation).toBeNull();
  });
});

describe("our own rules", () => {
  it("find no error in right data", () => {
    expect(checkData(account(), facts)).toEqual([]);
    expect(checkData(key("CPF", "52998224725"), facts)).toEqual([]);
  });

  it("VAL-007 VAL-016 suggest the digit of a bank whose rule is certain, and that of an agency as text", () => {
    expect(checkData(account({ accountDigit: "1" }), facts)).toEqual([
      { code: "account_digit_wrong", field: "account_digit", suggestion: { account_digit: "7" } },
    ]);
    const bancoDoBrasil = { bankIspb: "00000000", agency: "1584", account: "210169", accountDigit: "6" };
    expect(checkData(account({ ...bancoDoBrasil, agencyDigit: "3" }), facts)).toEqual([
      { code: "agency_digit_wrong", field: "agency_digit", suggestion: "9" },
    ]);
  });

  it.each([
    ["CPF", "52998224725", "11222333000181"],
    ["CNPJ", "11222333000181", "52998224725"],
  ])("VAL-010 refuse another holder for a key that is a %s itself", (type, document, another) => {
    expect(checkData(key(type, document, { pixKeyValidation: document }), facts)).toEqual([]);
    expect(checkData(key(type, document, { pixKeyValidation: another }), facts)).toEqual([
      { code: "pix_key_of_another", field: "pix_key_validation" },
    ]);
    // A program may name the holder in the other field.
    expect(checkData(key(type, document, { taxId: document }), facts)).toEqual([]);
    expect(checkData(key(type, document, { taxId: another }), facts)).toEqual([
      { code: "pix_key_of_another", field: "cpf_cnpj" },
    ]);
  });

  it("refuse blocked documents, an account without content, and a public entity that is none", () => {
    expect(checkData(account({ taxId: "73190528497" }), facts)).toMatchObject([
      { code: "tax_id_blocked", field: "cpf_cnpj" },
    ]);
    expect(
      checkData(key("CPF", "73190528497", { pixKeyValidation: "73190528497" }), facts).map(
        ({ field }) => field,
      ),
    ).toEqual(["pix_key", "pix_key_validation"]);
    expect(checkData(account({ bankIspb: "00416968", account: "000" }), facts)).toMatchObject([
      { code: "account_invalid" },
    ]);
    expect(checkData(account({ accountType: "ENTIDADES_PUBLICAS" }), facts)).toMatchObject([
      { code: "public_entity_invalid", field: "account_type" },
    ]);
  });
});

describe("outside answers", () => {
  it("describe the directory's answer about a key", () => {
    const found = { found: true, isSalaryAccount: false, isOfTaxId: null } as const;
    expect(errorsOfKey(found)).toEqual([]);
    expect(errorsOfKey({ ...found, isOfTaxId: true })).toEqual([]);
    expect(errorsOfKey({ found: false })).toMatchObject([{ code: "pix_key_not_found" }]);
    expect(errorsOfKey({ ...found, isSalaryAccount: true })).toMatchObject([
      { code: "pix_key_salary_account" },
    ]);
    expect(errorsOfKey({ ...found, isOfTaxId: false })).toMatchObject([{ field: "pix_key_validation" }]);
  });

  it.each([
    ["Conta não encontrada.", "account", "Conta não encontrada", undefined],
    [
      "Conta corrente não encontrada. Recebedor possui somente conta poupança.",
      "account_type",
      "Conta corrente não encontrada: o titular só tem conta poupança",
      { account_type: "CONTA_POUPANCA" },
    ],
    [
      "CPF/CNPJ do recebedor diverge do titular da conta.",
      "cpf_cnpj",
      "O CPF ou CNPJ informado não é o do titular da conta",
      undefined,
    ],
    ["Conta bloqueada.", "account", "A conta está bloqueada", undefined],
    [
      "O banco de destino está indisponível no momento. Tente novamente.",
      "bank",
      "O banco de destino não respondeu. Refaça a validação mais tarde",
      undefined,
    ],
    ["Motivo 42.", "account", "O banco de destino recusou o depósito: Motivo 42.", undefined],
    [null, "account", "O banco de destino recusou o depósito: sem motivo informado", undefined],
  ])("VAL-016 VAL-020 put a refusal of an account into our words: %s", (reason, field, text, suggestion) => {
    const refusal = errorOfRefusal(reason, account());
    expect([refusal.field, validationErrorText(refusal), refusal.suggestion]).toEqual([
      field,
      text,
      suggestion,
    ]);
  });

  it("name for a key only fields of its form", () => {
    const data = key("EMAIL", "a@b.co");
    expect(errorOfRefusal("Conta bloqueada.", data)).toEqual({ code: "account_blocked", field: "pix_key" });
    expect(errorOfRefusal("Chave PIX não encontrada.", data).code).toBe("pix_key_not_found");
    expect(errorOfRefusal("O CPF/CNPJ diverge com o do titular da chave.", data)).toEqual({
      code: "pix_key_of_another",
      field: "pix_key_validation",
    });
  });

  it("come by Pix, and by internal transfer for an account of ours", () => {
    expect(microDepositMethod(account())).toBe("PIX");
    expect(microDepositMethod(account({ bankIspb: "99999593" }))).toBe("TEV");
    expect(microDepositMethod(key("EMAIL", "a@b.co", { bankIspb: "99999593" }))).toBe("PIX");
  });
});

it.each([
  [true, [], "Validado"],
  [false, ["any"], "Inválido"],
  [null, ["any"], "Inválido"],
  [null, [], "Validando"],
])("VAL-017 with valid %s and the errors %j give '%s'", (valid, errors, name) => {
  expect(validationStatusNames[validationStatus({ valid, errors })]).toBe(name);
});
