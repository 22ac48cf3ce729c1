import {
  createCheckpoint,
  listAccountTypes,
  listBanks,
  readBank,
  readBankByCode,
  readCheckpoint,
  readDefaultPaymentMethod,
  readUserSettings,
} from "@malote/contracts/company";
import { readBlacklist } from "@malote/contracts/transfers";
import { banks } from "@malote/domain/banks";
import { ownInstitution } from "@malote/domain/own-institution";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { demoBlockedTaxIds } from "../adapters/sandbox/demo/demo-data.ts";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import {
  buildTestApp,
  type DemoPeople,
  type Person,
  signInDemoPeople,
  type TestApp,
} from "../testing/app.ts";
import { hasFilledFirstSteps, isTaxIdBlocked, readCompany } from "./index.ts";
import { changeSettings } from "./store.ts";

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

describe("the second factor", () => {
  it("SET-022 shows the state of the second factor", async () => {
    expect((await people.ana.call(readUserSettings)).body).toEqual({
      hasTwoFactorEnabled: false,
      isTwoFactorEnforced: false,
    });
  });
});

describe("banks and receiving accounts", () => {
  it("BIL-019 finds the bank of a boleto by its code", async () => {
    const find = (code: string, by = app.as("ana@aurora.example")) =>
      by.then((person) => person.call(readBankByCode, { params: { code } }));
    expect((await find("341")).body).toMatchObject({ code: "341", ispb: "60701190" });
    expect((await find("000")).status).toBe(404);
    expect((await find("34A")).status).toBe(400);
    expect((await app.call(readBankByCode, { params: { code: "341" } })).status).toBe(401);
  });

  it("SET-027 reads one bank by its id or its code", async () => {
    const itau = {
      id: "60701190",
      code: "341",
      ispb: "60701190",
      name: "Itaú Unibanco",
      image: "/api/payments/bank/60701190/image",
    };
    const byId = (id: string) => people.ana.call(readBank, { params: { id } });
    expect((await byId("60701190")).body).toEqual(itau);
    const byCode = (code: string) => people.ana.call(readBankByCode, { params: { code } });
    expect((await byCode("341")).body).toEqual(itau);
    expect((await byCode("001")).body).toMatchObject({ id: "00000000", code: "001" });
    expect((await byId("00000000")).body).toMatchObject({ code: "001" });
    expect(await byId("12121212")).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await byId("341")).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect((await app.call(readBank, { params: { id: "60701190" } })).status).toBe(401);
  });

  it("SET-028 lists the account types of a bank by the rule that checks a payment", async () => {
    const types = (id: string) => people.ana.call(listAccountTypes, { params: { id } });
    const everywhere = ["CONTA_CORRENTE", "CONTA_POUPANCA", "CONTA_FACIL", "CONTA_PAGAMENTO"];
    expect((await types("60701190")).body).toEqual({ data: everywhere });
    expect((await types("00360305")).body).toEqual({ data: [...everywhere, "ENTIDADES_PUBLICAS"] });
    const needsCaixa = (needed: boolean) =>
      app.services.db.withCompany(aurora.id, (tx) => changeSettings(tx, { publicEntityNeedsCaixa: needed }));
    await needsCaixa(false);
    expect((await types("60701190")).body.data).toContain("ENTIDADES_PUBLICAS");
    await needsCaixa(true);
    expect((await types("12121212")).status).toBe(404);
    expect((await app.call(listAccountTypes, { params: { id: "60701190" } })).status).toBe(401);
  });

  it("SET-030 returns the payment method of a bank's accounts without a key", async () => {
    const method = (bankCode?: string) =>
      people.ana.call(readDefaultPaymentMethod, { query: bankCode === undefined ? {} : { bankCode } });
    expect((await method("341")).body).toEqual({ payment_method: "TED" });
    expect((await method(ownInstitution().code)).body).toEqual({ payment_method: "TEV" });
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
      image: "/api/payments/bank/60746948/image",
    });
    expect(data).toContainEqual(expect.objectContaining({ code: "593", ispb: "99999593" }));
    expect(data.every((bank) => bank.code !== null)).toBe(true);
    const all = (await people.ana.call(listBanks, { query: { pix: "true" } })).body.data;
    expect(all).toHaveLength(banks().length);
    expect(all).toEqual(expect.arrayContaining(data));
    expect((await people.ana.call(listBanks, { query: { all: "true" } })).body.data).toHaveLength(all.length);
  });

  it("SET-026 lists an institution without a code only for Pix and among all", async () => {
    const bank = banks().find(({ code }) => code === "237")!;
    onTestFinished(() => {
      bank.code = "237";
    });
    bank.code = null;
    const isListed = async (query: Record<string, string>) =>
      (await people.ana.call(listBanks, { query })).body.data.some(({ ispb }) => ispb === bank.ispb);
    for (const query of [{}, { pix: "false" }, { all: "false" }]) expect(await isListed(query)).toBe(false);
    for (const query of [{ pix: "true" }, { all: "true" }]) expect(await isListed(query)).toBe(true);
  });

  it("SET-024 has a picture for every bank, which opens without a token and is only a picture", async () => {
    const { data } = (await people.ana.call(listBanks, { query: { all: "true" } })).body;
    for (const { image } of [data[0], data.at(-1)]) {
      const answer = await app.server.inject({ url: image });
      expect(answer.headers).toMatchObject({
        "content-type": "image/svg+xml",
        "content-security-policy": "default-src 'none'; sandbox",
        "cache-control": "public, max-age=86400",
      });
      expect(answer.body).toMatch(/^<svg [^>]*><rect [^>]*\/><text [^>]*>[\p{L}\d]{1,3}<\/text><\/svg>$/u);
    }
    expect((await app.server.inject({ url: data[1].image })).body).not.toBe(
      (await app.server.inject({ url: data[2].image })).body,
    );
    expect((await app.server.inject({ url: "/api/payments/bank/00000001/image" })).statusCode).toBe(404);
  });

  it("TRF-030 lists the blocked documents", async () => {
    const { data } = (await people.rui.call(readBlacklist)).body;
    expect(data.sort()).toEqual(demoBlockedTaxIds.map(({ taxId }) => taxId).sort());
    await app.services.db.withCompany(aurora.id, async (tx) => {
      expect(await isTaxIdBlocked(tx, data[0])).toBe(true);
      expect(await isTaxIdBlocked(tx, aurora.taxId)).toBe(false);
    });
  });
});

describe("checkpoints", () => {
  const exists = async (person: Person, id: string, in_company?: string) =>
    (await person.call(readCheckpoint, { params: { id }, ...(in_company && { query: { in_company } }) })).body
      .exists;
  const create = (person: Person, location: string) => person.call(createCheckpoint, { body: { location } });
  const filled = (companyId: string) => app.services.db.withCompany(companyId, hasFilledFirstSteps);

  it("FST-021 refuses a checkpoint that does not exist", async () => {
    expect((await people.lia.call(readCheckpoint, { params: { id: "ANYTHING" } })).status).toBe(400);
    expect((await create(people.lia, "ANYTHING")).status).toBe(400);
  });

  it("FST-005 FST-023 counts the first steps for the whole company, by any person who completed them", async () => {
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
    ["half a character", { "note\udfff": "a\ud800b" }, 400],
    ["a whole character of two halves", { note: "a\ud83d\ude00b" }, 200],
  ])("accepts or refuses %s in the metadata, and never fails", async (_, metadata, status) => {
    const body = { location: "HAS_SEEN_RECEIVER_SEARCH_TOUR", metadata };
    expect((await people.helena.call(createCheckpoint, { body })).status).toBe(status);
  });

  it("FST-021 FST-022 reads and records the same checkpoints in the validation application", async () => {
    const id = "HAS_CLOSED_SECURITY_NOTICE";
    const [here, there] = [
      await app.as("ana@aurora.example"),
      await app.as("ana@aurora.example", "validation"),
    ];
    expect([await exists(there, id), await exists(there, id, "true")]).toEqual([false, false]);
    expect((await create(there, id)).status).toBe(200);
    expect([await exists(there, id), await exists(here, id)]).toEqual([true, true]);
    expect([await exists(people.rui, id), await exists(people.rui, id, "true")]).toEqual([false, true]);
  });

  it("FST-022 stores the metadata of a checkpoint", async () => {
    const metadata = { page: "lotes", times: "2" };
    const body = { location: "HAS_SEEN_RECEIVER_SEARCH_TOUR", metadata };
    expect((await people.rui.call(createCheckpoint, { body })).status).toBe(200);
    const { rows } = await app.services.db.withCompany(aurora.id, (tx) =>
      sql<{ metadata: object }>`
        SELECT metadata FROM checkpoints WHERE checkpoint_id = 'HAS_SEEN_RECEIVER_SEARCH_TOUR' AND metadata ? 'page'
      `.execute(tx),
    );
    expect(rows).toEqual([{ metadata }]);
  });

  it("FST-021 FST-022 records a repeated checkpoint once, also in concurrent calls", async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => create(people.lia, "HAS_SEEN_RECEIVER_SEARCH_TOUR")),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    const recorded = (await auditedActions(horizonte.id)).filter(
      (action) => action === "checkpoint.recorded",
    );
    expect(recorded).toHaveLength(2);
    expect(await exists(people.marcos, "HAS_SEEN_RECEIVER_SEARCH_TOUR")).toBe(false);
    expect(await exists(people.marcos, "HAS_SEEN_RECEIVER_SEARCH_TOUR", "true")).toBe(true);
  });
});

describe("functions for other features", () => {
  it("reads the company of the transaction", async () => {
    const company = await app.services.db.withCompany(aurora.id, readCompany);
    expect(company).toMatchObject({ id: aurora.id, taxId: aurora.taxId, account: "1018420", blocked: false });
  });

  it("keeps to the company of the transaction, even when asked for rows without one", async () => {
    const { rows } = await app.services.db.withCompany(aurora.id, (tx) =>
      sql<{ company_id: string }>`SELECT company_id FROM companies`.execute(tx),
    );
    expect(rows).toEqual([{ company_id: aurora.id }]);
  });
});
