/** Listing and searching receivers, and masking their CPFs where required. */
import * as contracts from "@malote/contracts/receivers";
import { pageSize } from "@malote/domain/limits";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";
import { account, companyId, itau, pix, receiverCalls } from "../testing/receivers-kit.ts";

let app: TestApp;
let helena: Person;
let rui: Person;
let ana: Person;
let marcos: Person;
beforeAll(async () => {
  app = await buildTestApp();
  [helena, rui, ana, marcos] = await Promise.all([
    app.as("helena@aurora.example"),
    app.as("rui@aurora.example"),
    app.as("ana@aurora.example"),
    app.as("marcos@horizonte.example"),
  ]);
});
afterAll(() => app.close());
beforeEach(() => app.services.db.withSystem((tx) => sql`DELETE FROM receivers`.execute(tx)));

const { read, list, names, saved } = receiverCalls(() => helena);

describe("the list", () => {
  it("RCV-005 pages from 0, in order of names, with the server's page size and total", async () => {
    await app.services.db.withCompany(companyId, (tx) =>
      sql`INSERT INTO receivers (company_id, id, name, pix_key_type, pix_key, created_at)
          SELECT ${companyId}, uuidv7(), 'Pessoa ' || lpad(n::text, 3, '0'), 'EMAIL', n || '@x.com', now()
          FROM generate_series(1, ${pageSize + 3}) n`.execute(tx),
    );
    const [first, second] = [await list(), await list({ page: "1" })];
    expect(first.metadata).toEqual({ pagination: { itemsPerPage: pageSize, totalItems: pageSize + 3 } });
    expect(first.data).toHaveLength(pageSize);
    expect(first.data[0].name).toBe("Pessoa 001");
    expect(second.data.map(({ name }) => name)).toEqual(["Pessoa 051", "Pessoa 052", "Pessoa 053"]);
    // A search reads the same pages in another way.
    expect([await list({ search: "pessoa" }), await list({ search: "pessoa", page: "1" })]).toEqual([
      first,
      second,
    ]);
    expect((await list({ page: "9" })).data).toEqual([]);
    expect((await helena.call(contracts.listReceivers, { query: { page: "-1" } })).status).toBe(400);
  });

  it("RCV-001 RCV-005 the third page of a filter or a search has the rest, each receiver once, also with equal names", async () => {
    const count = 2 * pageSize + 3;
    await app.services.db.withCompany(companyId, (tx) =>
      sql`INSERT INTO receivers (company_id, id, name, bank_ispb, agency, account, account_digit, account_type, status,
            created_at)
          SELECT ${companyId}, gen_random_uuid(), 'Pessoa', CASE WHEN n > ${count} THEN '60746948' ELSE ${itau} END,
            '1234', n::text, '1', 'CONTA_CORRENTE', CASE WHEN n > ${count} THEN 'CREATED' ELSE 'FAILED' END, now()
          FROM generate_series(1, ${count + 2}) n`.execute(tx),
    );
    for (const query of [
      { status: "FAILED" },
      { status: "FAILED", search: "pessoa" },
      { bankId: itau },
      { bankId: itau, search: "pessoa" },
      { bankId: itau, status: "FAILED", search: "pessoa" },
    ]) {
      const pages = await Promise.all(["0", "1", "2"].map((page) => list({ ...query, page })));
      expect(pages.map(({ data }) => data.length)).toEqual([pageSize, pageSize, 3]);
      expect(pages.map(({ metadata }) => metadata.pagination.totalItems)).toEqual([count, count, count]);
      expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(count);
    }
  });

  it("ignores accents and capitals in the order, and uses the key without a name", async () => {
    for (const [name, key] of [
      ["Érica", "1"],
      ["eduardo", "2"],
      ["Zeca", "3"],
      [null, "fulano"],
    ] as const)
      await saved(pix({ name, pix_key: `${key}@x.com` }));
    expect(await names()).toEqual(["eduardo", "Érica", null, "Zeca"]);
  });

  it("RCV-001 RCV-005 finds by name, CPF, agency and account, with and without punctuation", async () => {
    await saved(account());
    await saved(
      account({
        name: "Empresa Alfa",
        cpf_cnpj: "12.ABC.345/01DE-35",
        agency: "4321",
        account: "56789",
        account_digit: "5",
      }),
    );
    await saved(
      pix({
        name: "Random Lima",
        pix_key_type: "CHAVE_ALEATORIA",
        pix_key: "123e4567-e89b-12d3-a456-426614174000",
      }),
    );
    await saved(pix({ name: "Fone Lima", pix_key_type: "TELEFONE", pix_key: "11987654321" }));
    for (const [search, found] of [
      ["conceicao", ["Conceição Araújo"]],
      ["ARA conce", ["Conceição Araújo"]],
      ["123.456.789-09", ["Conceição Araújo"]],
      ["12345678909", ["Conceição Araújo"]],
      ["12.abc.345/01de-35", ["Empresa Alfa"]],
      ["12345-1", ["Conceição Araújo"]],
      ["4321", ["Empresa Alfa", "Fone Lima"]],
      ["56789-5", ["Empresa Alfa"]],
      ["123e4567-e89b-12d3-a456-426614174000", ["Random Lima"]],
      ["(11) 98765-4321", ["Fone Lima"]],
      ["lima", ["Fone Lima", "Random Lima"]],
      ["%", []],
      ["\\", []],
    ] as const)
      expect([search, await names({ search })]).toEqual([search, found]);
  });

  it("RCV-001 RCV-002 RCV-005 filters by bank and by status, together and with a search", async () => {
    await saved(account());
    const { id } = await saved(
      account({
        name: "Conceição Bradesco",
        bank_id: "60746948",
        agency: "1629",
        account: "88410",
        account_digit: "3",
      }),
    );
    await saved(pix());
    await app.services.db.withCompany(companyId, (tx) =>
      sql`UPDATE receivers SET status = 'FAILED', status_description = 'Conta encerrada.' WHERE company_id = ${companyId} AND id = ${id}`.execute(
        tx,
      ),
    );
    const paid = await saved(pix({ name: "Zeca Lima", pix_key: "zeca@exemplo.com.br" }));
    await app.services.db.withCompany(companyId, (tx) =>
      sql`UPDATE receivers SET status = 'VERIFIED' WHERE company_id = ${companyId} AND id = ${paid.id}`.execute(
        tx,
      ),
    );
    expect(await names({ bankId: itau })).toEqual(["Conceição Araújo"]);
    expect(await names({ status: "VERIFIED" })).toEqual(["Zeca Lima"]);
    expect(await names({ status: "CREATED" })).toEqual(["Ana Lima", "Conceição Araújo"]);
    expect((await list({ status: "FAILED", search: "conceicao" })).data).toMatchObject([
      { status: "FAILED", status_description: "Conta encerrada." },
    ]);
    expect(await names({ status: "FAILED", bankId: itau })).toEqual([]);
    expect((await helena.call(contracts.listReceivers, { query: { status: "TALVEZ" } })).status).toBe(400);
  });

  it("shows masked CPFs of strangers to every reader, and a complete one to a payer who opens the receiver", async () => {
    const { id } = await saved(account());
    for (const person of [helena, rui, ana])
      expect((await list({}, person)).data[0].cpf_cnpj).toBe("***.456.789-**");
    expect((await read(id, rui)).body.cpf_cnpj).toBe("12345678909");
    expect((await read(id, ana)).body.cpf_cnpj).toBe("***.456.789-**");
    const company = await saved(account({ cpf_cnpj: "12.ABC.345/01DE-35" }));
    expect((await read(company.id, ana)).body.cpf_cnpj).toBe("12.ABC.345/01DE-35");
  });
});

it("finds no receiver for an analyst by the hidden digits of a CPF", async () => {
  await saved(account());
  await saved(pix({ name: "Ana Lima", pix_key_type: "CPF", pix_key: "529.982.247-25", cpf_cnpj: null }));
  const namesFor = async (search: string, person: Person) =>
    (await list({ search }, person)).data.map(({ name }) => name);
  for (const search of ["12345678909", "123456", "678909", "52998224725", "529.982", "8224725"]) {
    expect([search, await namesFor(search, rui)]).toEqual([search, [expect.any(String)]]);
    expect([search, await namesFor(search, ana)]).toEqual([search, []]);
    expect((await ana.call(contracts.searchReceivers, { query: { search } })).body.data).toEqual([]);
  }
  expect(await namesFor("456.789", ana)).toEqual(["Conceição Araújo"]);
  expect(await namesFor("982247", ana)).toEqual(["Ana Lima"]);
});

describe("the search of the payment form", () => {
  const found = async (search: string, person = helena) =>
    (await person.call(contracts.searchReceivers, { query: { search } })).body;

  it("RCV-021 needs three letters, and finds only in this company", async () => {
    await saved(account());
    expect((await helena.call(contracts.searchReceivers, { query: { search: "co" } })).status).toBe(400);
    for (const search of [
      "conceicao",
      "CONCEIÇÃO ara",
      "conceic\u0327a\u0303o",
      "123.456.789",
      "12345-1",
      "1234",
    ])
      expect([search, (await found(search)).data.map(({ name }) => name)]).toEqual([
        search,
        ["Conceição Araújo"],
      ]);
    expect((await found("%%%")).data).toEqual([]);
    expect((await found("conceicao", marcos)).data).toEqual([]);
  });

  it("RCV-021 returns all data for a payment to people who may pay, and a masked CPF to an analyst", async () => {
    await saved(account());
    expect((await found("conceicao", rui)).data).toMatchObject([
      {
        cpf_cnpj: "12345678909",
        bank_id: itau,
        agency: "1234",
        account: "12345",
        account_digit: "1",
        Bank: { code: "341" },
      },
    ]);
    // A person who may not pay has no form to fill in.
    expect((await found("conceicao", ana)).data[0].cpf_cnpj).toBe("***.456.789-**");
  });

  it("RCV-021 offers the first eight in order of names", async () => {
    for (let n = 9; n > 0; n--) await saved(pix({ name: `Pessoa ${n}`, pix_key: `${n}@x.com` }));
    expect((await found("pessoa")).data.map(({ name }) => name)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `Pessoa ${n}`),
    );
  });
});
