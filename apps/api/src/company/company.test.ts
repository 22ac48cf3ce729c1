import {
  changeCompanySettings,
  createCheckpoint,
  listAccountTypes,
  listBanks,
  listPaymentAccounts,
  readBank,
  readBankByCode,
  readCheckpoint,
  readCompanyBankAccount,
  readCompanySettings,
  readDefaultPaymentMethod,
  readUserSettings,
  saveCompanyBankAccount,
} from "@malote/contracts/company";
import { readBlacklist } from "@malote/contracts/transfers";
import { banks, provider } from "@malote/domain/banks";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoBlockedTaxIds } from "../demo/demo-data.ts";
import { demoCompanies } from "../demo/seed.ts";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";
import { hasFilledFirstSteps, isTaxIdBlocked, readCompany } from "./index.ts";
import { changeSettings } from "./store.ts";

const [aurora, horizonte] = [demoCompanies[0]!, demoCompanies[1]!];
let app: TestApp;
let people: Record<"helena" | "rui" | "ana" | "marcos" | "lia", Person>;
beforeAll(async () => {
  app = await buildTestApp();
  people = {
    helena: await app.as("helena@aurora.example"),
    rui: await app.as("rui@aurora.example"),
    ana: await app.as("ana@aurora.example"),
    marcos: await app.as("marcos@horizonte.example"),
    lia: await app.as("lia@horizonte.example"),
  };
});
afterAll(() => app.close());

const auditedActions = (companyId: string) =>
  app.parts.db.withCompany(companyId, async (tx) => {
    const { rows } = await sql<{ action: string }>`SELECT action FROM audit_entries`.execute(tx);
    return rows.map((row) => row.action);
  });

describe("company settings", () => {
  it.each(["rui", "ana"] as const)("SES-051 refuses a change by %s, who is no admin", async (name) => {
    const answer = await people[name].call(changeCompanySettings, {
      body: { accept_contacerta_suggestions: false },
    });
    expect(answer).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  it.each([[{}], [{ accept_contacerta_suggestions: "yes" }], [null]])("refuses the body %j", async (body) => {
    const answer = await people.helena.call(changeCompanySettings, { body });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  it("SET-020 SET-021 gives every setting in one answer, amounts in centavos", async () => {
    const { status, body } = await people.ana.call(readCompanySettings);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      acceptContaCertaSuggestions: true,
      accountLimits: { PIX: 250_000_00, TED: 250_000_00, TEV: 250_000_00, BILLET: 250_000_00 },
      blockWithdrawForOperator: false,
      replyToEmail: "helena@aurora.example",
      hasApiAccess: true,
    });
    expect(body).not.toHaveProperty("requiresTwoFactor");
  });

  it("SET-013 changes automatic correction, for this company alone, and notes who did it", async () => {
    const answer = await people.helena.call(changeCompanySettings, {
      body: { accept_contacerta_suggestions: false },
    });
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    expect((await people.rui.call(readCompanySettings)).body).toMatchObject({
      acceptContaCertaSuggestions: false,
      accountLimits: { PIX: 250_000_00 },
    });
    expect((await people.lia.call(readCompanySettings)).body.acceptContaCertaSuggestions).toBe(true);
    expect(await auditedActions(aurora.id)).toContain("company.settings_changed");
  });

  it("SET-018 keeps who gets the answers, in the form of an address, and leaves the other settings alone", async () => {
    const change = (reply_to_email: string) =>
      people.helena.call(changeCompanySettings, { body: { reply_to_email } });
    for (const wrong of ["", "financeiro", "a@b@c.example"])
      expect((await change(wrong)).body.code).toBe("reply_to_invalid");
    expect((await change(" Financeiro@Aurora.example ")).status).toBe(200);
    expect((await people.ana.call(readCompanySettings)).body).toMatchObject({
      replyToEmail: "financeiro@aurora.example",
      acceptContaCertaSuggestions: false,
    });
  });

  it("SET-022 tells the state of the second factor", async () => {
    expect((await people.ana.call(readUserSettings)).body).toEqual({
      hasTwoFactorEnabled: false,
      isTwoFactorEnforced: false,
    });
  });
});

describe("banks and accounts that receive", () => {
  it("BIL-019 finds the bank of a boleto by its code", async () => {
    const find = (code: string, by = app.as("ana@aurora.example")) =>
      by.then((person) => person.call(readBankByCode, { params: { code } }));
    expect((await find("341")).body).toMatchObject({ code: "341", ispb: "60701190" });
    expect((await find("000")).status).toBe(404);
    expect((await find("34A")).status).toBe(400);
    expect((await app.call(readBankByCode, { params: { code: "341" } })).status).toBe(401);
  });

  it("SET-027 reads one bank by its id or its code", async () => {
    const itau = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };
    const byId = (id: string) => people.ana.call(readBank, { params: { id } });
    expect((await byId("60701190")).body).toEqual(itau);
    expect((await people.ana.call(readBankByCode, { params: { code: "341" } })).body).toEqual(itau);
    expect((await byId("00000000")).body).toMatchObject({ code: "001" });
    expect(await byId("12121212")).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await byId("341")).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect((await app.call(readBank, { params: { id: "60701190" } })).status).toBe(401);
  });

  it("SET-028 lists the account types a bank takes, by the rule a payment is checked by", async () => {
    const types = (id: string) => people.ana.call(listAccountTypes, { params: { id } });
    const everywhere = ["CONTA_CORRENTE", "CONTA_POUPANCA", "CONTA_FACIL", "CONTA_PAGAMENTO"];
    expect((await types("60701190")).body).toEqual({ data: everywhere });
    expect((await types("00360305")).body).toEqual({ data: [...everywhere, "ENTIDADES_PUBLICAS"] });
    const needsCaixa = (needed: boolean) =>
      app.parts.db.withCompany(aurora.id, (tx) => changeSettings(tx, { publicEntityNeedsCaixa: needed }));
    await needsCaixa(false);
    expect((await types("60701190")).body.data).toContain("ENTIDADES_PUBLICAS");
    await needsCaixa(true);
    expect((await types("12121212")).status).toBe(404);
    expect((await app.call(listAccountTypes, { params: { id: "60701190" } })).status).toBe(401);
  });

  it("SET-030 gives the payment method of a bank's accounts where there is no key", async () => {
    const method = (bankCode?: string) =>
      people.ana.call(readDefaultPaymentMethod, { query: bankCode === undefined ? {} : { bankCode } });
    expect((await method("341")).body).toEqual({ payment_method: "TED" });
    expect((await method(provider.code ?? "")).body).toEqual({ payment_method: "TEV" });
    for (const wrong of ["000", "34A", undefined]) expect((await method(wrong)).status).toBe(400);
    expect((await app.call(readDefaultPaymentMethod, { query: { bankCode: "341" } })).status).toBe(401);
  });

  it("SET-024 SET-026 lists banks with their code, and every institution for Pix", async () => {
    const { data } = (await people.ana.call(listBanks)).body;
    expect(data).toContainEqual({
      id: "60746948",
      code: "237",
      ispb: "60746948",
      name: "Bradesco",
      image: null,
    });
    expect(data).toContainEqual(expect.objectContaining({ code: "593", ispb: "99999593" }));
    expect(data.every((bank: { code: string | null }) => bank.code !== null)).toBe(true);
    const all = (await people.ana.call(listBanks, { query: { pix: "true" } })).body.data;
    expect(all).toHaveLength(banks.length);
    expect(all).toEqual(expect.arrayContaining(data));
    expect((await people.ana.call(listBanks, { query: { all: "true" } })).body.data).toHaveLength(all.length);
  });

  it("STM-033 SET-029 lists the Pix keys and the account at the provider", async () => {
    const { data } = (await people.ana.call(listPaymentAccounts)).body;
    expect(data).toHaveLength(3);
    expect(data[0]).toMatchObject({
      Bank: { code: provider.code, ispb: provider.ispb },
      isPix: true,
      isProviderAccount: true,
      keyType: "CNPJ",
      key: aurora.taxId,
      cpfCnpj: aurora.taxId,
      name: aurora.name,
    });
    expect(data[2]).toMatchObject({
      isPix: false,
      key: null,
      agency: "0001",
      account: "1018420",
      account_digit: "7",
    });
  });

  it("TRF-030 lists the blocked documents", async () => {
    const { data } = (await people.rui.call(readBlacklist)).body;
    expect(data.sort()).toEqual(demoBlockedTaxIds.map(({ taxId }) => taxId).sort());
    await app.parts.db.withCompany(aurora.id, async (tx) => {
      expect(await isTaxIdBlocked(tx, data[0])).toBe(true);
      expect(await isTaxIdBlocked(tx, aurora.taxId)).toBe(false);
    });
  });
});

describe("the withdrawal account", () => {
  const account = {
    bank_id: "60701190",
    agency: "1234",
    agency_digit: null,
    account_type: "CONTA_CORRENTE",
    account: "56789",
    account_digit: "7",
    name: "Horizonte Logística Ltda",
    cpfCnpj: "48L7XQ9B000106",
  };
  const save = (person: Person, change: object = {}) =>
    person.call(saveCompanyBankAccount, { body: { ...account, ...change } });

  it("refuses everybody but an admin", async () => {
    expect(await save(people.lia)).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  it.each([
    ["a wrong digit", { account_digit: "8" }, "account_digit"],
    ["letters in the agency", { agency: "12AB" }, "agency"],
    ["no account", { account: "" }, "account"],
    ["a wrong document", { cpfCnpj: "48L7XQ9B000107" }, "cpfCnpj"],
    ["a short name", { name: " A " }, "name"],
    ["a public entity outside Caixa", { account_type: "ENTIDADES_PUBLICAS" }, "account_type"],
    ["the salary account", { account_type: "CONTA_SALARIO" }, "account_type"],
  ])("SET-011 refuses %s", async (_, change, field) => {
    const answer = await save(people.marcos, change);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(answer.body.data.fields).toContain(field);
  });

  it("SET-011 names every wrong field at once, and the right digit", async () => {
    const { body } = await save(people.marcos, { account_digit: "8", cpfCnpj: "1" });
    expect(body.data.fields).toEqual(["account_digit", "cpfCnpj"]);
    expect(body.data.issues[0].suggestion).toEqual({ account_digit: "7" });
  });

  it("refuses an unknown bank", async () => {
    expect(await save(people.marcos, { bank_id: "12121212" })).toMatchObject({
      status: 404,
      body: { code: "bank_unknown" },
    });
  });

  it("SET-009 SET-010 SET-025 saves it in its own form and gives it back, to this company alone", async () => {
    expect((await people.marcos.call(readCompanyBankAccount)).body).toBeNull();
    const answer = await save(people.marcos, {
      account: "56789-7",
      account_digit: "",
      cpfCnpj: "48.l7x.q9b/0001-06",
    });
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    expect(
      (await people.lia.call(readCompanyBankAccount, { query: { accountSource: "WITHDRAW" } })).body,
    ).toEqual(account);
    expect((await people.helena.call(readCompanyBankAccount)).body.name).toBe(aurora.name);
    expect(await auditedActions(horizonte.id)).toContain("company.withdraw_account_saved");
  });

  it("SET-010 SET-025 gives the account the company's Pix arrives on, which nobody saves", async () => {
    expect(
      (await people.lia.call(readCompanyBankAccount, { query: { accountSource: "PIX" } })).body,
    ).toMatchObject({ bank_id: provider.ispb, name: horizonte.name, cpfCnpj: horizonte.taxId });
    expect((await people.ana.call(readCompanyBankAccount, { query: { accountSource: "PIX" } })).body).toEqual(
      {
        bank_id: provider.ispb,
        agency: "0001",
        agency_digit: null,
        account_type: "CONTA_PAGAMENTO",
        account: "1018420",
        account_digit: "7",
        name: aurora.name,
        cpfCnpj: aurora.taxId,
      },
    );
  });
});

describe("checkpoints", () => {
  const exists = async (person: Person, id: string, in_company?: string) =>
    (await person.call(readCheckpoint, { params: { id }, ...(in_company && { query: { in_company } }) })).body
      .exists;
  const create = (person: Person, location: string) => person.call(createCheckpoint, { body: { location } });
  const filled = (companyId: string) => app.parts.db.withCompany(companyId, hasFilledFirstSteps);

  it("FST-021 refuses a checkpoint that does not exist", async () => {
    expect((await people.lia.call(readCheckpoint, { params: { id: "ANYTHING" } })).status).toBe(400);
    expect((await create(people.lia, "ANYTHING")).status).toBe(400);
  });

  it("FST-005 FST-023 counts the first steps for the whole company, whoever filled them", async () => {
    expect(await filled(horizonte.id)).toBe(false);
    expect(await exists(people.lia, "HAS_FILLED_FIRST_STEPS", "true")).toBe(false);
    expect((await create(people.marcos, "HAS_FILLED_FIRST_STEPS")).status).toBe(200);
    expect(await exists(people.lia, "HAS_FILLED_FIRST_STEPS", "true")).toBe(true);
    expect(await exists(people.lia, "HAS_FILLED_FIRST_STEPS")).toBe(false);
    expect(await exists(people.marcos, "HAS_FILLED_FIRST_STEPS")).toBe(true);
    expect(await filled(horizonte.id)).toBe(true);
  });

  it.each([
    ["a zero character", { note: "a\0b" }, 400],
    ["half a character", { "note\udfff": "a\ud800b" }, 200],
  ])("takes or refuses %s in the metadata, and never fails", async (_, metadata, status) => {
    const body = { location: "HAS_SEEN_RECEIVER_SEARCH_TOUR", metadata };
    expect((await people.helena.call(createCheckpoint, { body })).status).toBe(status);
  });

  it("FST-022 records once what comes twice, also at the same moment", async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => create(people.lia, "HAS_SEEN_RECEIVER_SEARCH_TOUR")),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    const recorded = (await auditedActions(horizonte.id)).filter(
      (action) => action === "checkpoint.recorded",
    );
    expect(recorded).toHaveLength(2);
    expect(await exists(people.marcos, "HAS_SEEN_RECEIVER_SEARCH_TOUR")).toBe(false);
  });
});

describe("what other features ask", () => {
  it("reads the company of the transaction", async () => {
    const company = await app.parts.db.withCompany(aurora.id, readCompany);
    expect(company).toMatchObject({ id: aurora.id, taxId: aurora.taxId, account: "1018420", blocked: false });
  });

  it("keeps to the company of the transaction, even when asked for rows without one", async () => {
    const { rows } = await app.parts.db.withCompany(aurora.id, (tx) =>
      sql<{ company_id: string }>`SELECT company_id FROM companies`.execute(tx),
    );
    expect(rows).toEqual([{ company_id: aurora.id }]);
  });
});
