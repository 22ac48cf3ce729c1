/** Validating: permissions, answers of our own rules and of the directory, and the outcome of a micro deposit. */
import type { DataInput } from "@malote/contracts/validation";
import {
  createValidation,
  downloadValidationBankReceipt,
  downloadValidationReceipt,
  listValidationBanks,
  readValidation,
  readValidationCompanySettings,
  readValidationUserSettings,
} from "@malote/contracts/validation";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "../company/store.ts";
import type { Person } from "../testing/app.ts";
import { setCompany } from "../testing/operator-kit.ts";
import { auroraId, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { account, key, validate, validationCalls } from "../testing/validation-kit.ts";

let kit: PaymentsKit;
let admin: Person;
let operator: Person;
let analyst: Person;
let stranger: Person;
beforeAll(async () => {
  kit = await openPayments();
  [admin, operator, analyst, stranger] = await Promise.all([
    kit.as("helena@aurora.example", "validation"),
    kit.as("rui@aurora.example", "validation"),
    kit.as("ana@aurora.example", "validation"),
    kit.as("marcos@horizonte.example", "validation"),
  ]);
});
afterAll(() => kit.close());
beforeEach(async () => {
  await kit.services.db.pool.query("DELETE FROM validations");
});

const { read, made, fetchOutcome, found } = validationCalls(
  () => kit,
  () => admin,
);

describe("refusals", () => {
  it("SES-014 SES-053 refuses a call without a token or the permission, and analysts", async () => {
    expect((await kit.call(createValidation, { query: { type: "BASIC" }, body: account })).status).toBe(401);
    expect((await validate(analyst, account)).status).toBe(403);
    expect((await validate(kit.admin, account)).status).toBe(403);
    await setCompany(kit.services, auroraId, { permissions: ["platform_access"] });
    expect((await validate(admin, account)).status).toBe(403);
    expect((await found()).data).toEqual([]);
    await setCompany(kit.services, auroraId, { permissions: ["all"] });
    expect((await validate(operator, account)).status).toBe(200);
  });

  it("shows no validation of another company", async () => {
    const id = await made(account);
    for (const contract of [readValidation, downloadValidationReceipt, downloadValidationBankReceipt])
      expect((await stranger.call(contract, { params: { id } })).status).toBe(404);
    expect((await found({}, stranger)).data).toEqual([]);
  });

  it("VAL-002 refuses a type that the company does not use", async () => {
    expect((await validate(stranger, account, "MICRO_DEPOSIT")).body.code).toBe("validation_type_unused");
    await kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { uses_basic_validation: false }));
    expect((await validate(admin, account)).body.code).toBe("validation_type_unused");
    await kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { uses_basic_validation: true }));
    expect((await validate(admin, account, "OTHER" as never)).status).toBe(400);
  });

  it("VAL-004 VAL-005 VAL-006 VAL-007 VAL-008 reports each wrong field, and stores nothing", async () => {
    const bare = await validate(admin, { name: "Li", cpf_cnpj: "1", agency: "12345", account: "x" });
    expect(bare).toMatchObject({ status: 422, body: { code: "validation_invalid" } });
    expect(
      bare.body.data.errors.map(({ field, message }: Record<string, string>) => `${field}: ${message}`),
    ).toEqual([
      "bank: Informe o banco",
      "account_type: Informe o tipo de conta",
      "agency: A agência deste banco tem no máximo 4 números",
      "account: Informe a conta, somente números",
      "account_digit: O dígito da conta tem 1 caractere: um número ou uma letra",
      "cpf_cnpj: CPF ou CNPJ inválido",
      "name: O nome deve ter no mínimo 3 letras",
    ]);
    expect((await validate(admin, key("maria@"))).body.data.errors).toMatchObject([
      { field: "pix_key", message: "A chave Pix deve ser válida" },
    ]);
    expect((await found()).data).toEqual([]);
  });

  it("requires an idempotency key, and makes one validation for a repeated call", async () => {
    const bare = await admin.call(createValidation, { query: { type: "BASIC" }, body: account });
    expect(bare.body.code).toBe("not_acceptable_key");
    const first = await validate(admin, account, "BASIC", "the-same");
    const again = await validate(admin, account, "BASIC", "the-same");
    expect(again.body).toEqual(first.body);
    expect((await validate(admin, key("a@b.co"), "BASIC", "the-same")).body.code).toBe(
      "idempotency_key_reused",
    );
    expect((await found()).data).toHaveLength(1);
  });
});

describe("the basic validation", () => {
  it("VAL-012 VAL-013 VAL-015 answers immediately with every field", async () => {
    const id = await made(account);
    expect(await read(id)).toEqual({
      id,
      type: "BASIC",
      valid: true,
      errors: [],
      checked: ["tax_id_digits", "account_form", "account_digit"],
      not_checked: ["account_exists", "account_holder", "name"],
      data: {
        name: "Padaria Sol Nascente",
        cpf_cnpj: "11222333000181",
        agency: "1234",
        agency_digit: null,
        account: "56789",
        account_digit: "7",
        account_type: "CONTA_CORRENTE",
        pix_key: null,
        pix_key_type: null,
        pix_key_validation: null,
      },
      bank_code: "341",
      bank_ispb: "60701190",
      micro_deposit_status: null,
      validated_at: kit.clock.now().toISOString(),
      created_at: kit.clock.now().toISOString(),
      receipt_url: null,
      bank_receipt_url: null,
    });
    const { bank_code: _, ...byIspb } = account;
    const savings = { ...byIspb, bank_ispb: "60701190", account_type: "CONTA_POUPANCA" } as const;
    expect(await read(await made(savings))).toMatchObject({
      bank_code: "341",
      data: { account_type: "CONTA_POUPANCA" },
    });
    const bancoDoBrasil = { bank_code: "001", agency: "1584", agency_digit: "9", account: "210169" };
    expect(await read(await made({ ...account, ...bancoDoBrasil, account_digit: "6" }))).toMatchObject({
      valid: true,
      data: { agency: "1584", agency_digit: "9", account: "210169", account_digit: "6" },
    });
  });

  it("VAL-016 suggests the digit that would be right", async () => {
    const { valid, errors } = await read(await made({ ...account, account_digit: "1" }));
    expect([valid, errors]).toEqual([
      false,
      [
        {
          code: "account_digit_wrong",
          field: "account_digit",
          message: "Conta ou dígito verificador da conta inválido",
          suggestion: { account_digit: "7" },
        },
      ],
    ]);
    const ofAgency = { ...account, bank_code: "1", agency: "1584", agency_digit: "3", account: "210169" };
    expect((await read(await made({ ...ofAgency, account_digit: "6" }))).errors).toMatchObject([
      { field: "agency_digit", suggestion: "9" },
    ]);
  });

  it("VAL-009 VAL-012 queries the Pix directory for a key, by its own type", async () => {
    expect(
      (await read(await made({ pix_key_type: "CPF", pix_key: "11.222.333/0001-81" }))).data,
    ).toMatchObject({
      pix_key_type: "CNPJ",
      pix_key: "11222333000181",
    });
    expect(await fetchOutcome(await made(key("chave.pix15@exemplo.com.br")))).toEqual([
      false,
      null,
      [["pix_key", "Chave Pix não encontrada"]],
    ]);
    expect(await fetchOutcome(await made(key("chave.pix16@exemplo.com.br")))).toMatchObject([
      false,
      null,
      [["pix_key", "A chave Pix é de uma conta salário, que não recebe Pix"]],
    ]);
    const ofAnother = key("chave.pix35@exemplo.com.br");
    expect(await fetchOutcome(await made(ofAnother))).toEqual([true, null, []]);
    expect(
      await fetchOutcome(await made({ ...ofAnother, pix_key_validation: { cpf_cnpj: "52998224725" } })),
    ).toMatchObject([false, null, [["pix_key_validation", /titular da chave/]]]);
    expect(await fetchOutcome(await made({ ...ofAnother, cpf_cnpj: "52998224725" }))).toMatchObject([
      false,
      null,
      [["cpf_cnpj", /titular da chave/]],
    ]);
    expect((await validate(admin, key("chave.pix25@exemplo.com.br"))).body.code).toBe("pix_directory_silent");
    expect((await validate(admin, { pix_key: "tudo e nada" })).body.code).toBe("validation_invalid");
  });

  it("VAL-010 VAL-015 finds another holder of a document key without a query", async () => {
    const another = [[false, null, [["pix_key_validation", /titular da chave/]]]];
    const document = { pix_key_type: "CPF", pix_key: "529.982.247-25" } as const;
    const owner = { pix_key_validation: { cpf_cnpj: "11.222.333/0001-81" } };
    expect([await fetchOutcome(await made({ ...document, ...owner }))]).toMatchObject(another);
    // The error is found before the balance is checked: this company has no centavo to send.
    expect([await fetchOutcome(await made({ ...document, ...owner }, "MICRO_DEPOSIT"))]).toMatchObject(
      another,
    );
    const own = { pix_key_validation: { cpf_cnpj: "529.982.247-25" } };
    expect(await read(await made({ ...document, ...own }))).toMatchObject({
      valid: true,
      data: {
        name: null,
        cpf_cnpj: null,
        agency: null,
        agency_digit: null,
        account: null,
        account_digit: null,
        account_type: null,
        pix_key: "52998224725",
        pix_key_type: "CPF",
        pix_key_validation: { cpf_cnpj: "52998224725" },
      },
      bank_code: null,
      bank_ispb: null,
      checked: ["pix_key_form", "tax_id_digits", "pix_key_exists", "pix_key_holder"],
      not_checked: [],
    });
  });

  it("VAL-018 names the fields that it did not check, in an account and in a key", async () => {
    const looked = async (body: DataInput) => {
      const { checked, not_checked } = await read(await made(body));
      return { checked, not_checked };
    };
    // The bank has no public rule and the account does not exist, so nothing is checked.
    const inter = {
      ...account,
      bank_code: "077",
      agency: "9999",
      account: "999999999999",
      account_digit: "Z",
    };
    expect(await looked(inter)).toEqual({
      checked: ["tax_id_digits", "account_form"],
      not_checked: ["account_digit", "account_exists", "account_holder", "name"],
    });
    expect(await looked(key("maria@exemplo.com.br", { name: "Nome Errado" }))).toEqual({
      checked: ["pix_key_form", "pix_key_exists"],
      not_checked: ["pix_key_holder", "name"],
    });
    expect(await read(await made({ ...account, account_digit: "1" }))).toMatchObject({
      checked: [],
      not_checked: [],
    });
  });

  it("refuses a blocked document", async () => {
    expect(await fetchOutcome(await made({ ...account, cpf_cnpj: "73190528497" }))).toEqual([
      false,
      null,
      [["cpf_cnpj", "O CPF ou CNPJ está bloqueado"]],
    ]);
  });
});

describe("lookups of the form", () => {
  it("VAL-011 lists the banks on its own API", async () => {
    for (const query of [{}, { pix: "true" }]) {
      const banks = (await admin.call(listValidationBanks, { query })).body.data;
      expect(banks.find(({ code }) => code === "341")).toMatchObject({
        ispb: "60701190",
        image: "/api/payments/bank/60701190/image",
      });
      expect(banks.length).toBeGreaterThan(300);
    }
    expect((await kit.admin.call(listValidationBanks)).status).toBe(403);
  });

  it("SET-022 SET-023 reads the settings of user and company on its own API", async () => {
    expect((await admin.call(readValidationUserSettings)).body).toEqual({
      hasTwoFactorEnabled: false,
      isTwoFactorEnforced: false,
    });
    expect((await analyst.call(readValidationCompanySettings)).body).toEqual({
      uses_basic_validation: true,
      uses_micro_deposit: true,
    });
    expect((await stranger.call(readValidationCompanySettings)).body).toEqual({
      uses_basic_validation: true,
      uses_micro_deposit: false,
    });
    const useBasic = (uses_basic_validation: boolean) =>
      kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { uses_basic_validation }));
    await useBasic(false);
    expect((await analyst.call(readValidationCompanySettings)).body).toEqual({
      uses_basic_validation: false,
      uses_micro_deposit: true,
    });
    await useBasic(true);
    expect((await kit.admin.call(readValidationCompanySettings)).status).toBe(403);
  });
});
