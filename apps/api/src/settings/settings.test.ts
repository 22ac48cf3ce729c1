import {
  changeCompanySettings,
  listPaymentAccounts,
  readCompanyBankAccount,
  readCompanySettings,
  saveCompanyBankAccount,
} from "@malote/contracts/company";
import { changeLimit } from "@malote/contracts/limits";
import { ownInstitution } from "@malote/domain/own-institution";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import {
  buildTestApp,
  type DemoPeople,
  type Person,
  signInDemoPeople,
  type TestApp,
} from "../testing/app.ts";
import { runOperator } from "../testing/operator-kit.ts";

const [aurora, horizonte] = [demoCompanies[0]!, demoCompanies[1]!];
let app: TestApp;
let people: DemoPeople;
beforeAll(async () => {
  app = await buildTestApp();
  people = await signInDemoPeople(app);
});
afterAll(() => app.close());

const auditedActions = (companyId: string) =>
  app.services.db.withCompany(companyId, async (tx) => {
    const { rows } = await sql<{ action: string }>`SELECT action FROM audit_entries`.execute(tx);
    return rows.map((row) => row.action);
  });

describe("company settings", () => {
  it.each(["rui", "ana"] as const)("SES-051 refuses a change by %s, who is not an admin", async (name) => {
    const answer = await people[name].call(changeCompanySettings, {
      body: { accept_contacerta_suggestions: true },
    });
    expect(answer).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  it.each([[{}], [{ accept_contacerta_suggestions: "yes" }], [null]])("refuses the body %j", async (body) => {
    const answer = await people.helena.call(changeCompanySettings, { body });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  it("SET-020 SET-021 returns every setting in one answer, with amounts in centavos", async () => {
    const { status, body } = await people.ana.call(readCompanySettings);
    expect(status).toBe(200);
    expect(body).toEqual({
      acceptContaCertaSuggestions: false,
      validationAccount: false,
      accountLimits: { PIX: 250_000_00, TED: 250_000_00, TEV: 250_000_00, BILLET: 250_000_00 },
      hasIntegrationId: true,
      blockWithdrawForOperator: false,
      showFinanceInfo: true,
      hasBoletoCharge: true,
      hasCardCharge: true,
      uses_basic_validation: true,
      uses_micro_deposit: true,
      replyToEmail: "helena@aurora.example",
      emailsPayees: false,
      hasApiAccess: true,
      apiAccessToken: null,
      publicEntityNeedsCaixa: true,
      operatorsMayCorrect: true,
      operatorsMayGiveBack: true,
      asksForApprovals: false,
      approvesBatches: false,
    });
    expect(body).not.toHaveProperty("requiresTwoFactor");
  });

  it("SET-020 returns the present value of each setting, for both values", async () => {
    const read = async () => (await people.marcos.call(readCompanySettings)).body;
    const switches = [
      "validationAccount",
      "hasIntegrationId",
      "showFinanceInfo",
      "hasBoletoCharge",
      "hasCardCharge",
      "uses_basic_validation",
      "uses_micro_deposit",
      "hasApiAccess",
    ] as const;
    const before = await read();
    for (const one of switches) {
      const turn = (on: boolean) => runOperator(app.services, "company", horizonte.id, `${one}=${on}`);
      await turn(!before[one]);
      expect(await read()).toEqual({ ...before, [one]: !before[one] });
      await turn(before[one]);
    }
  });

  it("SET-020 returns the limit of each kind of payment, also if they differ", async () => {
    const own = { PIX: 100_01, TEV: 100_02, TED: 100_03, BILLET: 100_04 };
    for (const [payment_method, value] of Object.entries(own)) {
      const body = { period: "TRANSACTION", payment_method, value } as never;
      expect((await people.marcos.call(changeLimit, { body })).status).toBe(200);
    }
    expect((await people.marcos.call(readCompanySettings)).body.accountLimits).toEqual(own);
  });

  it("DEV-009 shows the old API key to admins, and to no other reader of the settings", async () => {
    const keep = (key: string | null) =>
      runOperator(app.services, "company", aurora.id, `apiAccessToken=${key ?? "none"}`);
    await keep("chave-antiga-da-aurora");
    const seenBy = async (who: Person) => (await who.call(readCompanySettings)).body.apiAccessToken;
    expect(await seenBy(people.helena)).toBe("chave-antiga-da-aurora");
    for (const who of [people.rui, people.ana, people.lia]) expect(await seenBy(who)).toBeNull();
    await keep(null);
    expect(await seenBy(people.helena)).toBeNull();
  });

  it("SET-013 changes automatic correction, only for this company, and records who did it", async () => {
    const answer = await people.helena.call(changeCompanySettings, {
      body: { accept_contacerta_suggestions: true },
    });
    expect(answer).toMatchObject({
      status: 200,
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: "Configurações salvas com sucesso!",
    });
    expect((await people.rui.call(readCompanySettings)).body).toMatchObject({
      acceptContaCertaSuggestions: true,
      accountLimits: { PIX: 250_000_00 },
      replyToEmail: "helena@aurora.example",
      emailsPayees: false,
    });
    expect((await people.lia.call(readCompanySettings)).body.acceptContaCertaSuggestions).toBe(false);
    expect(await auditedActions(aurora.id)).toContain("company.settings_changed");
    const accepts = async (accept_contacerta_suggestions: boolean) => {
      await people.helena.call(changeCompanySettings, { body: { accept_contacerta_suggestions } });
      return (await people.helena.call(readCompanySettings)).body.acceptContaCertaSuggestions;
    };
    expect([await accepts(false), await accepts(true)]).toEqual([false, true]);
  });

  it("SET-018 stores the reply address as an address, and does not change the other settings", async () => {
    const change = (reply_to_email: string) =>
      people.helena.call(changeCompanySettings, { body: { reply_to_email } });
    for (const wrong of ["", "financeiro", "a@b@c.example"])
      expect((await change(wrong)).body.code).toBe("reply_to_invalid");
    expect((await change(" Financeiro@Aurora.example ")).status).toBe(200);
    expect((await people.ana.call(readCompanySettings)).body).toMatchObject({
      replyToEmail: "financeiro@aurora.example",
      acceptContaCertaSuggestions: true,
    });
  });

  it("requires the password for another reply address, and for no other setting", async () => {
    const stale = await app.as("helena@aurora.example");
    await app.services.db.pool.query(
      "UPDATE sessions SET confirmed_at = confirmed_at - interval '6 minutes'",
    );
    const change = (body: object) => stale.call(changeCompanySettings, { body });
    expect(await change({ reply_to_email: "ladrao@exemplo.com.br" })).toMatchObject({
      status: 403,
      body: { code: "identity_unconfirmed" },
    });
    expect((await change({ reply_to_email: "financeiro@aurora.example" })).status).toBe(200);
    expect((await change({ accept_contacerta_suggestions: true })).status).toBe(200);
    await app.services.db.pool.query(
      "UPDATE sessions SET confirmed_at = confirmed_at + interval '6 minutes'",
    );
    expect((await change({ reply_to_email: "caixa@aurora.example" })).status).toBe(200);
    expect((await change({ reply_to_email: "financeiro@aurora.example" })).status).toBe(200);
  });

  it("does not let a new admin choose who gets the answers of payees, and lets them change other settings", async () => {
    const { pool } = app.services.db;
    const giveAccess = "UPDATE users SET let_in_at = $1 WHERE email = 'helena@aurora.example'";
    const now = app.clock.now().getTime();
    const change = (body: object) => people.helena.call(changeCompanySettings, { body });
    const dayMs = 24 * 3_600_000;
    await pool.query(giveAccess, [new Date(now - dayMs + 1000)]);
    expect(await change({ reply_to_email: "ladrao@exemplo.com.br" })).toMatchObject({
      status: 403,
      body: { code: "admin_too_new" },
    });
    expect((await people.ana.call(readCompanySettings)).body.replyToEmail).toBe("financeiro@aurora.example");
    expect((await change({ accept_contacerta_suggestions: true })).status).toBe(200);
    await pool.query(giveAccess, [new Date(now - dayMs)]);
    expect((await change({ reply_to_email: "caixa@aurora.example" })).status).toBe(200);
    await pool.query(giveAccess, [null]);
    expect((await change({ reply_to_email: "financeiro@aurora.example" })).status).toBe(200);
  });
});

describe("receiving accounts", () => {
  it("STM-033 SET-029 lists the Pix keys and the account at the provider", async () => {
    const { data } = (await people.ana.call(listPaymentAccounts)).body;
    const { ispb, code, name } = ownInstitution();
    const account = {
      id: expect.any(String),
      Bank: { id: ispb, ispb, code, name, image: `/api/payments/bank/${ispb}/image` },
      isProviderAccount: true,
      agency: "0001",
      account: "1018420",
      account_digit: "7",
      account_type: "CONTA_PAGAMENTO",
      operation_type: null,
      cpfCnpj: aurora.taxId,
      name: aurora.name,
      bank_id: ispb,
    };
    expect(data).toEqual([
      { ...account, isPix: true, keyType: "CNPJ", key: aurora.taxId },
      { ...account, isPix: true, keyType: "EMAIL", key: "financeiro@aurora.example" },
      { ...account, isPix: false, keyType: null, key: null },
    ]);
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

  it("refuses every caller but an admin", async () => {
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

  it("SET-011 reports every wrong field together, and the right digit", async () => {
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

  it("SET-009 SET-010 SET-025 saves it normalised and returns it, only to this company", async () => {
    expect((await people.marcos.call(readCompanyBankAccount)).body).toBeNull();
    const answer = await save(people.marcos, {
      account: "56789-7",
      account_digit: "",
      name: " Horizonte\u202e\nLogística Ltda ",
      cpfCnpj: "48.l7x.q9b/0001-06",
    });
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    expect(
      (await people.lia.call(readCompanyBankAccount, { query: { accountSource: "WITHDRAW" } })).body,
    ).toEqual(account);
    expect((await people.helena.call(readCompanyBankAccount)).body.name).toBe(aurora.name);
    expect(await auditedActions(horizonte.id)).toContain("company.withdraw_account_saved");
  });

  it("SET-011 accepts an unusual account, such as one without a digit at a bank without a rule", async () => {
    const unusual = { bank_id: "00416968", account_digit: "" };
    expect((await save(people.marcos, unusual)).body).toEqual({ ok: true });
    expect((await people.lia.call(readCompanyBankAccount)).body).toEqual({ ...account, ...unusual });
  });

  it("SET-025 stores an agency's digit", async () => {
    const bancoDoBrasil = {
      bank_id: "00000000",
      agency: "1584",
      agency_digit: "9",
      account: "210169",
      account_digit: "6",
    };
    expect((await save(people.marcos, bancoDoBrasil)).body).toEqual({ ok: true });
    expect((await people.lia.call(readCompanyBankAccount)).body).toEqual({ ...account, ...bancoDoBrasil });
  });

  it("SET-010 refuses an unknown source", async () => {
    const query = { accountSource: "SALARY" as never };
    expect(await people.lia.call(readCompanyBankAccount, { query })).toMatchObject({
      status: 400,
      body: { code: "invalid_request" },
    });
  });

  it("SET-010 SET-025 returns the account on which the company's Pix arrive, which is never saved", async () => {
    expect(
      (await people.lia.call(readCompanyBankAccount, { query: { accountSource: "PIX" } })).body,
    ).toMatchObject({ bank_id: ownInstitution().ispb, name: horizonte.name, cpfCnpj: horizonte.taxId });
    expect((await people.ana.call(readCompanyBankAccount, { query: { accountSource: "PIX" } })).body).toEqual(
      {
        bank_id: ownInstitution().ispb,
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
