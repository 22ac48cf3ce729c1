import { isValidBankAccount } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accountTypes,
  checkAgencyAndAccount,
  checkBankAccount,
  normaliseBankAccount,
  readAccountType,
  splitDigit,
  verhoeff,
} from "./bank-account.ts";
import { severityOf } from "./issues.ts";

function check(bankCode: string, agencyText: string, accountText: string) {
  const agency = splitDigit(agencyText, "");
  const account = splitDigit(accountText, "");
  return checkAgencyAndAccount({
    bankCode,
    agency: agency.number,
    agencyDigit: agency.digit,
    account: account.number,
    accountDigit: account.digit,
  });
}

const rightAccounts: [bank: string, agency: string, account: string][] = [
  ["001", "1584-9", "00210169-6"],
  ["001", "1234-3", "00001234-3"],
  ["001", "0071-X", "00000071-X"],
  ["033", "1234", "12345678-4"],
  ["033", "0189", "01017417-9"],
  ["041", "2664", "358507671-8"],
  ["041", "2664", "358507670-6"],
  ["104", "1234", "00112345678-2"],
  ["104", "2004", "00100000448-6"],
  ["237", "1234-3", "0001234-3"],
  ["237", "0071-P", "0000071-P"],
  ["341", "1234", "12345-1"],
  ["341", "2545", "02366-1"],
  ["341", "0001", "00071-0"],
  ["260", "0001", "5216125-0"],
  ["260", "0001", "12345678-4"],
];

describe("check digits", () => {
  it.each(rightAccounts)("ruling D14: accepts %s agency %s account %s", (bank, agency, account) => {
    expect(check(bank, agency, account)).toEqual([]);
  });

  it.each(rightAccounts)(
    "ruling D14: accepts %s agency %s account %s without leading zeros",
    (bank, agency, account) => {
      const lost = (text: string) => text.replace(/^0+/, "");
      expect(check(bank, lost(agency), lost(account))).toEqual([]);
    },
  );

  it.each(rightAccounts)(
    "ruling D14: refuses %s agency %s account %s with any other digit, and proposes the right one",
    (bank, agency, account) => {
      const [number, right] = account.split("-") as [string, string];
      for (const wrong of "0123456789XP") {
        if (wrong === right || (bank === "237" && right === "P" && wrong === "0")) continue;
        expect(check(bank, agency, `${number}-${wrong}`)).toEqual([
          { code: "account_digit_invalid", field: "account_digit", suggestion: { account_digit: right } },
        ]);
      }
    },
  );

  it("ruling D14: Bradesco accepts 0 for P, in agency and account; Banco do Brasil does not accept 0 for X", () => {
    expect(check("237", "0071-0", "0000071-0")).toEqual([]);
    expect(check("001", "0071-0", "00000071-0").map((issue) => issue.suggestion)).toEqual([
      { agency_digit: "X" },
      { account_digit: "X" },
    ]);
  });

  it("refuses a wrong agency digit and proposes the right one, but requires none", () => {
    expect(check("001", "1584-1", "00210169-6")).toEqual([
      { code: "agency_digit_invalid", field: "agency_digit", suggestion: { agency_digit: "9" } },
    ]);
    expect(check("001", "1584", "00210169-6")).toEqual([]);
  });

  it.each(["001", "033", "041", "237", "260", "341"])(
    "ruling D14: %s requires the account's digit and names it",
    (bank) => {
      const [, agency, account] = rightAccounts.find(([code]) => code === bank) as [string, string, string];
      const [number, right] = account.split("-") as [string, string];
      expect(check(bank, agency, number)).toEqual([
        { code: "account_digit_missing", field: "account_digit", suggestion: { account_digit: right } },
      ]);
    },
  );

  it.each(["001", "033", "041", "237", "341", "260"])(
    "agrees with another implementation on any account of %s",
    (bank) => {
      const length = { "001": 8, "033": 8, "041": 9, "237": 7, "341": 5, "260": 8 }[bank] as number;
      const digits = (count: number) => fc.stringMatching(new RegExp(`^[1-9]\\d{${count - 1}}$`));
      fc.assert(
        fc.property(
          digits(4),
          digits(length),
          fc.constantFrom(..."0123456789XP".split("")),
          (agency, account, digit) => {
            const ourAgency = bank === "260" ? "0001" : agency;
            const issues = check(bank, ourAgency, `${account}-${digit}`);
            const isTheirs = isValidBankAccount({ bankCode: bank, agency: ourAgency, account, digit });
            // The other implementation does not accept Bradesco's 0 for P.
            fc.pre(!(bank === "237" && digit === "0"));
            expect(issues.length === 0).toBe(isTheirs);
          },
        ),
        { numRuns: 300 },
      );
    },
  );

  it.each([
    ["341", "12345", "12345-1", ["agency_length_invalid"]],
    ["341", "1234", "123456-1", ["account_length_invalid"]],
    ["260", "0001", "12345678901234-1", ["account_length_invalid"]],
  ])(
    "ruling D14: refuses %s agency %s account %s, which does not fit the bank",
    (bank, agency, account, codes) => {
      expect(check(bank, agency, account).map((issue) => issue.code)).toEqual(codes);
    },
  );
});

describe("Caixa", () => {
  it.each(["12880000000011-1", "1288000000001-1", "3701123456789-0"].slice(1))(
    "accepts the numbering of 2023, %s, whose digit rule is not public",
    (account) => {
      expect(check("104", "9999", account)).toEqual([]);
    },
  );

  it.each(["12345678-2", "99912345678-2"])("only warns of %s, which has no known operation", (account) => {
    expect(check("104", "1234", account)).toEqual([{ code: "account_unusual", field: "account" }]);
  });
});

describe("other banks", () => {
  it.each(["077", "197", "290", "323", "336", "399", "745", "748", "756", "084", "422"])(
    "ruling D14: accepts any digit of %s",
    (bank) => {
      for (const digit of "0123456789") expect(check(bank, "0001", `12345-${digit}`)).toEqual([]);
    },
  );

  it("ruling D14: only warns of unusual lengths", () => {
    const issues = [
      ...check("077", "1234", "1234567890-1"),
      ...check("999", "123456", "12345678901234-1"),
      ...check("756", "1", "123"),
    ];
    expect(issues.map((issue) => issue.code)).toEqual([
      "agency_unusual",
      "account_unusual",
      "agency_unusual",
      "account_unusual",
      "account_digit_unusual",
    ]);
    expect(issues[0]?.suggestion).toEqual({ agency: "0001" });
    expect(issues.every((issue) => severityOf(issue) === "warning")).toBe(true);
  });

  it("applies no rule to a bank without code", () => {
    const account = { bankCode: null, agency: "1", agencyDigit: "", account: "12345", accountDigit: "9" };
    expect(checkAgencyAndAccount(account)).toEqual([]);
  });

  it.each([
    ["", "1-1", ["agency_invalid"]],
    ["12A4", "123-1", ["agency_invalid"]],
    ["1", "", ["account_invalid"]],
    ["1", "0-0", ["account_invalid"]],
    ["1", "12.3456,7", ["account_invalid"]],
    ["", "", ["agency_invalid", "account_invalid"]],
  ])("TRF-028 refuses agency '%s' with account '%s'", (agency, account, codes) => {
    expect(check("084", agency, account).map((issue) => issue.code)).toEqual(codes);
  });
});

describe("checkBankAccount", () => {
  const itau = { bankCode: "341", agency: "1234", agencyDigit: "", account: "12345", accountDigit: "1" };
  const caixa = {
    bankCode: "104",
    agency: "1234",
    agencyDigit: "",
    account: "00112345678",
    accountDigit: "2",
  };
  const cnpj = "12ABC34501DE35";

  it("TRF-028 requires an account type that is offered", () => {
    expect(checkBankAccount({ ...itau, accountType: null, taxId: cnpj })).toEqual([
      { code: "account_type_invalid", field: "account_type" },
    ]);
    expect(checkBankAccount({ ...itau, accountType: "CONTA_SALARIO", taxId: cnpj })).toHaveLength(1);
    for (const accountType of accountTypes.slice(0, 4)) {
      expect(checkBankAccount({ ...itau, accountType, taxId: cnpj })).toEqual([]);
    }
  });

  it("TRF-034 pays public entities only to a CNPJ and, unless configured otherwise, at Caixa", () => {
    const publicEntity = { accountType: "ENTIDADES_PUBLICAS", taxId: cnpj };
    const refusal = [{ code: "public_entity_invalid", field: "account_type" }];
    expect(checkBankAccount({ ...caixa, ...publicEntity, taxId: "52998224725" }, false)).toEqual(refusal);
    expect(checkBankAccount({ ...itau, ...publicEntity }, true)).toEqual(refusal);
    expect(checkBankAccount({ ...itau, ...publicEntity }, false)).toEqual([]);
    expect(checkBankAccount({ ...caixa, ...publicEntity }, true)).toEqual([]);
  });
});

describe("reading cells", () => {
  it.each([
    ["Corrente", "CONTA_CORRENTE"],
    ["conta-corrente", "CONTA_CORRENTE"],
    ["POUPANÇA", "CONTA_POUPANCA"],
    ["Poupanca", "CONTA_POUPANCA"],
    ["Conta Fácil", "CONTA_FACIL"],
    ["Conta de pagamento", "CONTA_PAGAMENTO"],
    ["Entidade", "ENTIDADES_PUBLICAS"],
    ["Conta pública", "ENTIDADES_PUBLICAS"],
    ["ENTIDADES_PUBLICAS", "ENTIDADES_PUBLICAS"],
    ["CC", "CONTA_CORRENTE"],
    ["c/c", "CONTA_CORRENTE"],
    ["C.C.", "CONTA_CORRENTE"],
    ["CP", "CONTA_POUPANCA"],
    ["CS", undefined],
    ["Salário", undefined],
    ["", undefined],
    ["constructor", undefined],
    ["__proto__", undefined],
  ])("IMP-020 guesses '%s' as %s", (text, type) => {
    expect(readAccountType(text)).toBe(type);
  });

  it("reads single letters as types only when they are known", () => {
    expect([readAccountType("C"), readAccountType("p"), readAccountType("S")]).toEqual([
      "CONTA_CORRENTE",
      "CONTA_POUPANCA",
      undefined,
    ]);
  });

  it("separates digits typed after a dash, unless they have their own field", () => {
    expect(splitDigit("12.345-x", "")).toEqual({ number: "12345", digit: "X" });
    expect(splitDigit("12345", "x ")).toEqual({ number: "12345", digit: "X" });
    expect(splitDigit("12345-6", "7")).toEqual({ number: "12345-6", digit: "7" });
    expect(
      normaliseBankAccount({
        bankCode: "001",
        agency: "1584-9",
        agencyDigit: "",
        account: "210169-6",
        accountDigit: "",
      }),
    ).toEqual({ bankCode: "001", agency: "1584", agencyDigit: "9", account: "210169", accountDigit: "6" });
  });
});

describe("verhoeff", () => {
  it("detects every single wrong digit and every swap of adjacent digits", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^\d{2,13}$/),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        (number, place, change) => {
          const right = verhoeff(number);
          const at = place % number.length;
          const other = (Number(number[at]) + change) % 10;
          expect(verhoeff(number.slice(0, at) + other + number.slice(at + 1))).not.toBe(right);
          const next = (at + 1) % number.length;
          if (next > at && number[at] !== number[next]) {
            const swapped = number.slice(0, at) + number[next] + number[at] + number.slice(next + 1);
            expect(verhoeff(swapped)).not.toBe(right);
          }
        },
      ),
    );
  });

  it("refuses anything but digits", () => {
    expect(() => verhoeff("12a")).toThrow("digits only");
  });
});
