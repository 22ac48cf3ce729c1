/** Validating: who may, what our own rules and the directory say, and what becomes of a centavo. */
import { randomUUID } from "node:crypto";
import { listBatches, readBatch } from "@malote/contracts/batches";
import type { DataInput } from "@malote/contracts/validation";
import {
  createValidation,
  downloadValidationBankReceipt,
  downloadValidationReceipt,
  listValidationBanks,
  listValidations,
  readValidation,
  readValidationCompanySettings,
  readValidationUserSettings,
} from "@malote/contracts/validation";
import type { ValidationType } from "@malote/domain/validation-types";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { changeSettings } from "../company/store.ts";
import type { Person } from "../testing/app.ts";
import { auroraId, balanceOf, openPayments, type PaymentsKit, statementOf } from "../testing/payments-kit.ts";

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

const account: DataInput = {
  name: "Padaria Sol Nascente",
  cpf_cnpj: "11.222.333/0001-81",
  bank_code: "341",
  agency: "1234",
  account: "56789",
  account_digit: "7",
  account_type: "CONTA_CORRENTE",
};
const key = (pix_key: string, changes: Partial<DataInput> = {}): DataInput => ({
  pix_key_type: "EMAIL",
  pix_key,
  ...changes,
});

const validate = (by: Person, body: DataInput, type: ValidationType = "BASIC", once: string = randomUUID()) =>
  by.call(createValidation, { query: { type }, body }, { "idempotency-key": once });
const read = async (id: string, by = admin) => (await by.call(readValidation, { params: { id } })).body;
async function made(body: DataInput, type: ValidationType = "BASIC", by = admin): Promise<string> {
  // One after another, as people make them.
  kit.clock.advance({ ms: 5 });
  const answer = await validate(by, body, type);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}
const outcomeOf = async (id: string) => {
  const { valid, errors, micro_deposit_status } = await read(id);
  return [
    valid,
    micro_deposit_status,
    errors.map(({ field, message }: { field: string; message: string }) => [field, message]),
  ];
};
/** Handed over, and then as long as a Pix takes. */
async function settle() {
  await kit.pass({ seconds: 1 });
  await kit.pass({ seconds: 1 });
}
const found = async (query: Record<string, string> = {}, by = admin) =>
  (await by.call(listValidations, { query })).body;

describe("refusals", () => {
  it("SES-014 SES-053 lets nobody in without a token, without the permission, and no analyst", async () => {
    expect((await kit.call(createValidation, { query: { type: "BASIC" }, body: account })).status).toBe(401);
    expect((await validate(analyst, account)).status).toBe(403);
    expect((await validate(kit.admin, account)).status).toBe(403);
    const without = "UPDATE companies SET permissions = $1 WHERE company_id = $2";
    await kit.services.db.pool.query(without, [["platform_access"], auroraId]);
    expect((await validate(admin, account)).status).toBe(403);
    expect((await found()).data).toEqual([]);
    await kit.services.db.pool.query(without, [["all"], auroraId]);
    expect((await validate(operator, account)).status).toBe(200);
  });

  it("shows another company's validation to nobody", async () => {
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

  it("VAL-004 VAL-005 VAL-006 VAL-007 VAL-008 says each wrong field, and keeps nothing", async () => {
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

  it("asks for a key that makes a repetition harmless, and is one validation when sent twice", async () => {
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
  it("VAL-012 VAL-013 VAL-015 answers at once with all there is to know", async () => {
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
    expect((await read(await made({ ...byIspb, bank_ispb: "60701190" }))).bank_code).toBe("341");
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

  it("VAL-009 VAL-012 asks the Pix directory of a key, by its own type", async () => {
    expect(
      (await read(await made({ pix_key_type: "CPF", pix_key: "11.222.333/0001-81" }))).data,
    ).toMatchObject({
      pix_key_type: "CNPJ",
      pix_key: "11222333000181",
    });
    expect(await outcomeOf(await made(key("chave.pix15@exemplo.com.br")))).toEqual([
      false,
      null,
      [["pix_key", "Chave Pix não encontrada"]],
    ]);
    expect(await outcomeOf(await made(key("chave.pix16@exemplo.com.br")))).toMatchObject([
      false,
      null,
      [["pix_key", "A chave Pix é de uma conta salário, que não recebe Pix"]],
    ]);
    const ofAnother = key("chave.pix35@exemplo.com.br");
    expect(await outcomeOf(await made(ofAnother))).toEqual([true, null, []]);
    expect(
      await outcomeOf(await made({ ...ofAnother, pix_key_validation: { cpf_cnpj: "52998224725" } })),
    ).toMatchObject([false, null, [["pix_key_validation", /titular da chave/]]]);
    expect(await outcomeOf(await made({ ...ofAnother, cpf_cnpj: "52998224725" }))).toMatchObject([
      false,
      null,
      [["cpf_cnpj", /titular da chave/]],
    ]);
    expect((await validate(admin, key("chave.pix25@exemplo.com.br"))).body.code).toBe("pix_directory_silent");
    expect((await validate(admin, { pix_key: "tudo e nada" })).body.code).toBe("validation_invalid");
  });

  it("VAL-010 finds another holder of a key that is a document by itself", async () => {
    const another = [[false, null, [["pix_key_validation", /titular da chave/]]]];
    const document = { pix_key_type: "CPF", pix_key: "529.982.247-25" } as const;
    const owner = { pix_key_validation: { cpf_cnpj: "11.222.333/0001-81" } };
    expect([await outcomeOf(await made({ ...document, ...owner }))]).toMatchObject(another);
    // Found before a centavo leaves: there is none here that could.
    expect([await outcomeOf(await made({ ...document, ...owner }, "MICRO_DEPOSIT"))]).toMatchObject(another);
    const own = { pix_key_validation: { cpf_cnpj: "529.982.247-25" } };
    expect(await read(await made({ ...document, ...own }))).toMatchObject({
      valid: true,
      checked: ["pix_key_form", "tax_id_digits", "pix_key_exists", "pix_key_holder"],
      not_checked: [],
    });
  });

  it("VAL-018 names what it did not look at, in an account and in a key", async () => {
    const looked = async (body: DataInput) => {
      const { checked, not_checked } = await read(await made(body));
      return { checked, not_checked };
    };
    // A bank without a public rule, and an account that does not exist: not checked.
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
    expect(await outcomeOf(await made({ ...account, cpf_cnpj: "73190528497" }))).toEqual([
      false,
      null,
      [["cpf_cnpj", "O CPF ou CNPJ está bloqueado"]],
    ]);
  });
});

describe("the micro deposit", () => {
  const reserved = async () =>
    (
      await kit.services.db.pool.query(
        "SELECT balance FROM ledger_accounts WHERE company_id = $1 AND account = 'reserved'",
        [auroraId],
      )
    ).rows[0].balance;

  it("is refused without a centavo, and keeps nothing of itself", async () => {
    expect(await balanceOf(kit.admin)).toBe(0);
    const refused = await validate(admin, account, "MICRO_DEPOSIT");
    expect(refused).toMatchObject({ status: 422, body: { code: "micro_deposit_without_balance" } });
    expect((await found()).data).toEqual([]);
  });

  it("VAL-012 VAL-015 VAL-017 leaves the balance at once, arrives, and has a receipt", async () => {
    await kit.deposit(1_00);
    const id = await made(account, "MICRO_DEPOSIT");
    expect(await outcomeOf(id)).toEqual([null, null, []]);
    expect(await read(id)).toMatchObject({ receipt_url: null, bank_receipt_url: null });
    expect((await admin.call(downloadValidationBankReceipt, { params: { id } })).body.code).toBe(
      "receipt_missing",
    );
    expect((await admin.call(downloadValidationReceipt, { params: { id } })).body.code).toBe(
      "receipt_missing",
    );
    expect([await balanceOf(kit.admin), await reserved()]).toEqual([99, 1]);
    expect((await statementOf(kit.admin)).entries[0]).toMatchObject({
      value: -1,
      description: "Microdepósito de validação",
      complement: { isPix: true, receiver: { name: "Padaria Sol Nascente" } },
    });
    await settle();
    expect(await outcomeOf(id)).toEqual([true, "TRANSFERRED", []]);
    expect([await balanceOf(kit.admin), await reserved()]).toEqual([99, 0]);
    const { receipt_url, bank_receipt_url, validated_at } = await read(id);
    expect(bank_receipt_url).toBe(`/api/contacerta/app/validation/${id}/bankReceipt`);
    expect(receipt_url).toBe(`/api/contacerta/app/validation/${id}/receipt`);
    expect(validated_at).toBe(kit.clock.now().toISOString());
    for (const who of [admin, analyst]) {
      for (const address of [receipt_url, bank_receipt_url]) {
        const receipt = await who.get(address);
        expect([receipt.status, receipt.headers["content-type"]]).toEqual([200, "application/pdf"]);
      }
    }
  });

  it("goes by internal transfer to an account of ours, and to a key", async () => {
    await kit.deposit(1_00);
    const ours = { ...account, bank_code: "593", agency: "0001", account: "1018437", account_digit: "1" };
    const ids = [
      await made(ours, "MICRO_DEPOSIT"),
      await made(key("maria@exemplo.com.br"), "MICRO_DEPOSIT", operator),
    ];
    const { rows } = await kit.services.db.pool.query(
      "SELECT t.payment_method AS way FROM transfers t JOIN validations v ON v.transfer_id = t.id ORDER BY 1",
    );
    expect(rows.map(({ way }) => way)).toEqual(["PIX", "TEV"]);
    await settle();
    for (const id of ids) expect(await outcomeOf(id)).toEqual([true, "TRANSFERRED", []]);
  });

  it("VAL-010 VAL-016 VAL-017 says why it did not arrive, and its centavo is back", async () => {
    await kit.deposit(1_00);
    const before = await balanceOf(kit.admin);
    const owner = { pix_key_validation: { cpf_cnpj: "52998224725" } };
    const ids = [
      await made({ ...account, cpf_cnpj: "907.046.230-30" }, "MICRO_DEPOSIT"),
      await made(key("chave.pix35@exemplo.com.br", owner), "MICRO_DEPOSIT"),
      await made(key("chave.pix25@exemplo.com.br"), "MICRO_DEPOSIT"),
    ];
    await settle();
    expect(await outcomeOf(ids[0] ?? "")).toEqual([
      false,
      "FAILED",
      [["account_type", "Conta corrente não encontrada: o titular só tem conta poupança"]],
    ]);
    expect((await read(ids[0] ?? "")).errors[0].suggestion).toEqual({ account_type: "CONTA_POUPANCA" });
    expect(await outcomeOf(ids[1] ?? "")).toMatchObject([
      false,
      "FAILED",
      [["pix_key_validation", /titular/]],
    ]);
    expect(await outcomeOf(ids[2] ?? "")).toMatchObject([false, "FAILED", [["pix_key", /não respondeu/]]]);
    expect([await balanceOf(kit.admin), await reserved()]).toEqual([before, 0]);
    expect((await statementOf(kit.admin)).entries[0]).toMatchObject({
      type: "REFUND",
      value: 1,
      description: expect.stringContaining("Microdepósito não realizado"),
    });
  });

  it("that another bank gives back proves nothing any more, whichever is received first", async () => {
    await kit.deposit(1_00);
    const before = await balanceOf(kit.admin);
    const id = await made(account, "MICRO_DEPOSIT");
    await settle();
    const { rows } = await kit.services.db.pool.query(
      "SELECT t.end_to_end_id AS e FROM transfers t JOIN validations v ON v.transfer_id = t.id",
    );
    const returned = {
      id: "back",
      kind: "returned" as const,
      endToEndId: rows[0].e,
      companyId: auroraId,
      at: kit.clock.now().toISOString(),
      reason: "Conta bloqueada.",
    };
    const { handleEvents } = await import("../payments/index.ts");
    await handleEvents(kit.services, [returned]);
    expect(await outcomeOf(id)).toEqual([false, "RETURNED", [["account", "A conta está bloqueada"]]]);
    expect((await read(id)).receipt_url).toBeNull();
    expect(await balanceOf(kit.admin)).toBe(before);
  });

  it("moves no centavo where our own rules already say no", async () => {
    await kit.deposit(1_00);
    const before = await balanceOf(kit.admin);
    expect(await outcomeOf(await made({ ...account, account_digit: "1" }, "MICRO_DEPOSIT"))).toMatchObject([
      false,
      null,
      [["account_digit", expect.any(String)]],
    ]);
    expect(await balanceOf(kit.admin)).toBe(before);
  });

  it("is one deposit when it is sent twice at once, and of a blocked company none", async () => {
    await kit.deposit(1_00);
    const before = await balanceOf(kit.admin);
    const answers = await Promise.all(
      [1, 2].map(() => validate(admin, account, "MICRO_DEPOSIT", "twice-at-once")),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(await balanceOf(kit.admin)).toBe(before - 1);
    await kit.services.db.pool.query("UPDATE companies SET blocked = true WHERE company_id = $1", [auroraId]);
    expect((await validate(admin, account, "MICRO_DEPOSIT")).body.code).toBe("company_blocked");
    await kit.services.db.pool.query("UPDATE companies SET blocked = false WHERE company_id = $1", [
      auroraId,
    ]);
    await settle();
  });

  it("is a batch on no screen of batches", async () => {
    await kit.deposit(1_00);
    await made(account, "MICRO_DEPOSIT");
    const { rows } = await kit.services.db.pool.query(
      "SELECT batch_id AS id FROM transfers t JOIN validations v ON v.transfer_id = t.id",
    );
    expect((await kit.admin.call(readBatch, { params: { id: rows[0].id } })).status).toBe(404);
    const period = { initialDate: "2026-01-01", endDate: "2027-12-31" };
    expect((await kit.admin.call(listBatches, { query: period })).body.data).toEqual([]);
    await settle();
  });
});

describe("the history", () => {
  it("VAL-028 VAL-029 lists the newest first, 12 at a time, with CPFs masked", async () => {
    for (let n = 0; n < 13; n++) await made(key(`pessoa${n}@exemplo.com.br`));
    await made({ pix_key_type: "CPF", pix_key: "52998224725", cpf_cnpj: "52998224725" });
    const first = await found();
    expect(first.metadata.pagination).toEqual({ itemsPerPage: 12, totalItems: 14 });
    expect(first.data).toHaveLength(12);
    expect(first.data[0].data).toMatchObject({ pix_key: "***.982.247-**", cpf_cnpj: "***.982.247-**" });
    expect(
      (await found({ page: "1" })).data.map(({ data }: { data: { pix_key: string } }) => data.pix_key),
    ).toEqual(["pessoa1@exemplo.com.br", "pessoa0@exemplo.com.br"]);
    expect((await found({ itemsPerPage: "5", page: "2" })).data).toHaveLength(4);
    const { id } = first.data[0];
    expect((await read(id)).data.pix_key).toBe("52998224725");
    expect((await read(id, analyst)).data.pix_key).toBe("***.982.247-**");
  });

  it("finds an analyst none by the digits of a CPF that are hidden from them", async () => {
    const ofKey = await made(key("529.982.247-25", { pix_key_type: "CPF" }));
    const ofAccount = await made({ ...account, cpf_cnpj: "390.533.447-05" });
    const ids = async (searchTerm: string, by: Person) =>
      (await found({ searchTerm }, by)).data.map(({ id }: { id: string }) => id);
    for (const [search, id] of [
      ["529.982", ofKey],
      ["24725", ofKey],
      ["390533", ofAccount],
      ["44705", ofAccount],
    ] as const) {
      expect([search, await ids(search, operator)]).toEqual([search, [id]]);
      expect([search, await ids(search, analyst)]).toEqual([search, []]);
    }
    expect(await ids("982.247", analyst)).toEqual([ofKey]);
    expect(await ids("533447", analyst)).toEqual([ofAccount]);
  });

  it("VAL-024 VAL-028 filters by type, outcome, days, source and words", async () => {
    await kit.deposit(1_00);
    const right = await made(account);
    const wrong = await made({ ...account, name: "Ótica Luz", account_digit: "1" });
    const arrived = await made(key("+55 11 98765-4321", { pix_key_type: "TELEFONE" }), "MICRO_DEPOSIT");
    await settle();
    const underWay = await made(key("depois@exemplo.com.br"), "MICRO_DEPOSIT");
    const ids = async (query: Record<string, string>) =>
      (await found(query)).data.map(({ id }: { id: string }) => id).sort();
    const these = (...given: string[]) => given.sort();
    expect(await ids({ type: "BASIC" })).toEqual(these(right, wrong));
    expect(await ids({ valid: "true" })).toEqual(these(right, arrived));
    expect(await ids({ valid: "false" })).toEqual([wrong]);
    expect(await ids({ microDepositValidated: "true" })).toEqual([arrived]);
    expect(await ids({ microDepositValidated: "false" })).toEqual([underWay]);
    expect(await ids({ source: "APP" })).toEqual(these(right, wrong, arrived, underWay));
    expect(await ids({ source: "API" })).toEqual([]);
    expect(await ids({ searchTerm: "otica" })).toEqual([wrong]);
    expect(await ids({ searchTerm: "11.222.333/0001-81 56789-7" })).toEqual([right]);
    expect(await ids({ searchTerm: "(11) 98765-4321" })).toEqual([arrived]);
    expect(await ids({ initialDate: "2026-08-12", endDate: "2026-08-12" })).toHaveLength(4);
    expect(await ids({ initialDate: "2026-08-13" })).toEqual([]);
    expect(await ids({ endDate: "2026-08-11" })).toEqual([]);
    await settle();
  });

  it("notes what a company's own system validates as such", async () => {
    await kit.services.db.pool.query(
      "UPDATE api_credentials SET application = 'validation' WHERE company_id = $1",
      [auroraId],
    );
    const credential = demoCompanies[0]?.credential;
    const signedIn = await kit.send("POST", "/api/login/authorize", {
      grant_type: "client_credentials",
      client_id: credential?.clientId,
      client_secret: credential?.clientSecret,
    });
    const answer = await kit.call(
      createValidation,
      { query: { type: "BASIC" }, body: account },
      { token: signedIn.body.access_token, headers: { "idempotency-key": randomUUID() } },
    );
    expect(answer.status).toBe(200);
    expect((await found({ source: "API" })).data).toHaveLength(1);
  });
});

describe("what the form needs", () => {
  it("VAL-011 lists the banks on its own host", async () => {
    for (const query of [{}, { pix: "true" }]) {
      const banks = (await admin.call(listValidationBanks, { query })).body.data;
      expect(banks.find(({ code }: { code: string }) => code === "341")).toMatchObject({
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
    expect((await stranger.call(readValidationCompanySettings)).body.uses_micro_deposit).toBe(false);
    expect((await kit.admin.call(readValidationCompanySettings)).status).toBe(403);
  });
});
