import { randomUUID } from "node:crypto";
import * as contracts from "@malote/contracts/receivers";
import type { DestinationInput } from "@malote/contracts/transfers";
import { pageSize } from "@malote/domain/limits";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoBlockedTaxIds, demoCompanies } from "../adapters/sandbox/demo/demo-data.ts";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";

let app: TestApp;
let helena: Person;
let rui: Person;
let ana: Person;
let marcos: Person;
const companyId = demoCompanies[0]?.id ?? "";
const itau = "60701190";

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

const pix = (changes: DestinationInput = {}): DestinationInput => ({
  name: "Ana Lima",
  pix_key_type: "EMAIL",
  pix_key: "ana@exemplo.com.br",
  ...changes,
});
const account = (changes: DestinationInput = {}): DestinationInput => ({
  name: "Conceição Araújo",
  cpf_cnpj: "123.456.789-09",
  bank_id: itau,
  agency: "1234",
  account: "12345",
  account_digit: "1",
  account_type: "CONTA_CORRENTE",
  ...changes,
});

const create = (body: object, person = helena) => person.call(contracts.createReceiver, { body });
const change = (id: string, body: object, person = helena) =>
  person.call(contracts.changeReceiver, { params: { id }, body });
const read = (id: string, person = helena) => person.call(contracts.readReceiver, { params: { id } });
const remove = (id: string, person = helena) => person.call(contracts.removeReceiver, { params: { id } });
const removeMany = (ids: string[], person = helena) =>
  person.call(contracts.removeReceivers, { body: { ids } });
const list = async (query: Record<string, string> = {}, person = helena) =>
  (await person.call(contracts.listReceivers, { query })).body;
const names = async (query: Record<string, string> = {}, person = helena) =>
  (await list(query, person)).data.map((receiver: contracts.Receiver) => receiver.name);
const saved = async (body: object, person = helena): Promise<contracts.Receiver> => {
  const answer = await create(body, person);
  expect([answer.status, answer.body.code]).toEqual([200, undefined]);
  return answer.body;
};
const trail = async (subjectId: string) => {
  const { rows } = await app.services.db.withCompany(companyId, (tx) =>
    sql<{ action: string; actor_name: string; detail: object }>`
      SELECT action, actor_name, detail FROM audit_entries WHERE subject_id = ${subjectId} ORDER BY id
    `.execute(tx),
  );
  return rows;
};

describe("who may", () => {
  it("analysts read, and neither save nor delete", async () => {
    const { id } = await saved(account());
    expect((await create(pix(), ana)).status).toBe(403);
    expect((await change(id, { name: "Outra Pessoa" }, ana)).status).toBe(403);
    expect((await remove(id, ana)).status).toBe(403);
    expect((await removeMany([id], ana)).status).toBe(403);
    expect(await names({}, ana)).toEqual(["Conceição Araújo"]);
    expect((await read(id, ana)).status).toBe(200);
  });

  it("RCV-014 RCV-015 RCV-017 RCV-020 those of another company are not there", async () => {
    const { id } = await saved(account());
    expect(await list({}, marcos)).toMatchObject({ data: [], metadata: { pagination: { totalItems: 0 } } });
    expect((await read(id, marcos)).status).toBe(404);
    expect((await change(id, { name: "Outra Pessoa" }, marcos)).status).toBe(404);
    expect((await remove(id, marcos)).status).toBe(404);
    expect((await removeMany([id], marcos)).body).toEqual({ removed: 0 });
    expect(await names()).toEqual(["Conceição Araújo"]);
    // The same key may be saved by both.
    expect((await create(account(), marcos)).status).toBe(200);
  });
});

describe("the rules of the transfer form", () => {
  it.each<[string, DestinationInput, string[]]>([
    [
      "a CPF key that is none",
      pix({ pix_key_type: "CPF", pix_key: "111.111.111-11" }),
      ["pix_key pix_key_cpf_invalid"],
    ],
    ["an e-mail key without @", pix({ pix_key: "ana.exemplo" }), ["pix_key pix_key_email_invalid"]],
    [
      "a landline as key",
      pix({ pix_key_type: "TELEFONE", pix_key: "1133334444" }),
      ["pix_key pix_key_phone_invalid"],
    ],
    [
      "a random key that is none",
      pix({ pix_key_type: "CHAVE_ALEATORIA", pix_key: "1" }),
      ["pix_key pix_key_invalid"],
    ],
    ["a name of two letters", account({ name: "Jo" }), ["name name_invalid"]],
    ["a wrong document", account({ cpf_cnpj: "123.456.789-00" }), ["cpf_cnpj tax_id_invalid"]],
    ["no bank", account({ bank_id: null }), ["bank_id bank_missing"]],
    ["no account type", account({ account_type: null }), ["account_type account_type_invalid"]],
    ["a wrong e-mail", pix({ email: "ana@" }), ["email email_invalid"]],
    ["a blocked document", account({ cpf_cnpj: demoBlockedTaxIds[0]?.taxId }), ["cpf_cnpj tax_id_blocked"]],
    [
      "a blocked document as key",
      pix({ pix_key_type: "CPF", pix_key: demoBlockedTaxIds[0]?.taxId }),
      ["pix_key tax_id_blocked"],
    ],
    [
      "a public entity that is a person",
      account({ account_type: "ENTIDADES_PUBLICAS" }),
      ["account_type public_entity_invalid"],
    ],
    [
      "nothing at all",
      {},
      [
        "name name_invalid",
        "cpf_cnpj tax_id_invalid",
        "bank_id bank_missing",
        "agency agency_invalid",
        "account account_invalid",
        "account_type account_type_invalid",
      ],
    ],
  ])("RCV-011 refuses %s", async (_, body, expected) => {
    const wrong = await create(body);
    expect([wrong.status, wrong.body.code]).toEqual([422, "receiver_invalid"]);
    const issues = wrong.body.data.errors.map(
      (issue: { field: string; code: string }) => `${issue.field} ${issue.code}`,
    );
    expect(issues).toEqual(expected);
    expect(await names()).toEqual([]);
    const { id } = await saved(pix({ pix_key: "boa@exemplo.com.br" }));
    const empty = { name: null, pix_key: null, pix_key_type: null };
    expect((await change(id, { ...empty, ...body })).body.code).toBe("receiver_invalid");
    expect((await read(id)).body.pix_key).toBe("boa@exemplo.com.br");
  });

  it("RCV-011 an e-mail is optional, and for a key so are name and document", async () => {
    await saved(pix({ name: null }));
    await saved(account({ email: "contas@exemplo.com.br" }));
    expect((await list()).metadata.pagination.totalItems).toBe(2);
  });
});

describe("saving", () => {
  it("RCV-013 RCV-014 RCV-015 creates with every field in its own form, and reads it back", async () => {
    const body = account({
      agency_digit: "",
      email: " Contas@Exemplo.com.br ",
      pix_key: null,
      pix_key_type: null,
    });
    const created = await saved(body, rui);
    expect(created).toEqual({
      id: created.id,
      name: "Conceição Araújo",
      cpf_cnpj: "12345678909",
      email: "contas@exemplo.com.br",
      bank_id: itau,
      agency: "1234",
      agency_digit: null,
      account: "12345",
      account_digit: "1",
      account_type: "CONTA_CORRENTE",
      pix_key: null,
      pix_key_type: null,
      status: "CREATED",
      status_description: null,
      last_payment: null,
      Bank: expect.objectContaining({ code: "341" }),
    });
    expect((await read(created.id)).body).toEqual(created);
    const byKey = await saved(pix({ pix_key_type: "TELEFONE", pix_key: "(11) 98765-4321" }));
    expect(byKey).toMatchObject({ pix_key: "+5511987654321", pix_key_type: "TELEFONE", bank_id: null });
  });

  it("RCV-014 changes only what is sent", async () => {
    const { id } = await saved(account());
    const { body, status } = await change(id, { name: "Conceição A. Lima", email: "c@exemplo.com.br" }, rui);
    expect([status, body.name, body.email, body.account]).toEqual([
      200,
      "Conceição A. Lima",
      "c@exemplo.com.br",
      "12345",
    ]);
    expect((await change(id, { email: null })).body.email).toBeNull();
    const moved = await change(id, {
      ...pix(),
      cpf_cnpj: null,
      bank_id: null,
      agency: null,
      account: null,
      account_digit: null,
      account_type: null,
    });
    expect(moved.body).toMatchObject({ id, pix_key: "ana@exemplo.com.br", bank_id: null, account: null });
    expect((await change(randomUUID(), { name: "Ninguém" })).status).toBe(404);
  });

  it("the same key or account is saved once, however it was written", async () => {
    const first = await saved(account());
    const again = await create(account({ name: "C. Araújo", account: "0012345", agency: "01234" }));
    expect([again.status, again.body.code]).toEqual([409, "receiver_exists"]);
    const { id } = await saved(pix());
    expect((await create(pix({ name: "Outra", pix_key: "ANA@exemplo.com.br" }))).body.code).toBe(
      "receiver_exists",
    );
    const other = await saved(pix({ pix_key: "outra@exemplo.com.br" }));
    expect((await change(other.id, { pix_key: "ana@exemplo.com.br" })).body.code).toBe("receiver_exists");
    expect((await read(other.id)).body.pix_key).toBe("outra@exemplo.com.br");
    expect((await change(id, { name: "Ana L." })).status).toBe(200);
    // A shared account has a receiver for each holder.
    const holder = await saved(account({ name: "Outro Titular", cpf_cnpj: "529.982.247-25" }));
    expect(holder.id).not.toBe(first.id);
  });

  it("the same call twice, or two at once, save one receiver", async () => {
    const body = { ...pix(), id: randomUUID() };
    const [one, two] = await Promise.all([create(body), create(body)]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(two.body).toEqual(one.body);
    expect((await create(body)).body).toEqual(one.body);
    expect((await create({ ...body, pix_key: "ANA@exemplo.com.br" })).body).toEqual(one.body);
    for (const other of [{ name: "Ana Melo" }, { pix_key: "corrigida@exemplo.com.br" }, { email: "a@x.com" }])
      expect((await create({ ...body, ...other })).body.code).toBe("idempotency_key_reused");
    expect((await read(body.id)).body).toEqual(one.body);
    expect((await trail(body.id)).map(({ action }) => action)).toEqual(["receiver_created"]);
    const rivals = await Promise.all(
      Array.from({ length: 6 }, () => create(pix({ pix_key: "nova@exemplo.com.br" }))),
    );
    expect(rivals.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const [a, b] = [await saved(pix({ pix_key: "a@x.com" })), await saved(pix({ pix_key: "b@x.com" }))];
    const both = await Promise.all([a, b].map(({ id }) => change(id, { pix_key: "c@x.com" })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("a masked CPF never comes back: it stands for the one that is stored", async () => {
    const { id } = await saved(account());
    const masked = (await list()).data[0];
    expect(masked.cpf_cnpj).toBe("***.456.789-**");
    expect((await change(id, { ...masked, name: "Conceição Lima" })).body).toMatchObject({
      name: "Conceição Lima",
      cpf_cnpj: "12345678909",
    });
    const key = await saved(
      pix({ pix_key_type: "CPF", pix_key: "529.982.247-25", cpf_cnpj: "529.982.247-25" }),
    );
    const [shown] = (await list({ search: "Ana Lima" })).data;
    expect([shown.pix_key, shown.cpf_cnpj]).toEqual(["***.982.247-**", "***.982.247-**"]);
    expect((await change(key.id, { ...shown, name: "Ana L. Souza" })).body).toMatchObject({
      pix_key: "52998224725",
      cpf_cnpj: "52998224725",
    });
    for (const other of ["***.111.789-**", "###.982.247-##", "XXX98224XXX"])
      expect((await change(key.id, { ...shown, cpf_cnpj: other })).body).toMatchObject({
        code: "receiver_invalid",
        data: { errors: [{ code: "tax_id_invalid", field: "cpf_cnpj" }] },
      });
    expect((await change(key.id, { ...shown, pix_key: "***.111.247-**" })).body.code).toBe(
      "receiver_invalid",
    );
    // In a new one it has no owner.
    expect((await create(account({ cpf_cnpj: "***.456.789-**" }))).body.code).toBe("receiver_invalid");
  });

  it("S10 leaves an entry of each change, with what it said before", async () => {
    const { id } = await saved(pix(), rui);
    await change(id, { name: "Ana L. Souza" });
    await change(id, { pix_key: "nada" });
    await remove(id);
    expect(await trail(id)).toEqual([
      { action: "receiver_created", actor_name: "Rui Tavares", detail: {} },
      {
        action: "receiver_changed",
        actor_name: "Helena Prado",
        detail: { changes: { name: { from: "Ana Lima", to: "Ana L. Souza" } } },
      },
      { action: "receiver_removed", actor_name: "Helena Prado", detail: {} },
    ]);
  });
});

describe("deleting", () => {
  it("RCV-017 deletes one, once", async () => {
    const { id } = await saved(pix());
    expect((await remove(id, rui)).body).toEqual({ ok: true });
    expect((await remove(id)).status).toBe(404);
    expect((await read(id)).status).toBe(404);
    // Its key is free again.
    await saved(pix());
  });

  it("RCV-020 deletes the chosen ones and no other", async () => {
    const [a, b, c] = await Promise.all(
      ["a@x.com", "b@x.com", "c@x.com"].map((pix_key) => saved(pix({ pix_key }))),
    );
    expect((await removeMany([])).status).toBe(400);
    expect((await removeMany([a!.id, b!.id, randomUUID()], rui)).body).toEqual({ removed: 2 });
    expect((await removeMany([a!.id])).body).toEqual({ removed: 0 });
    expect((await list()).data.map(({ id }: { id: string }) => id)).toEqual([c!.id]);
  });
});

describe("the list", () => {
  it("RCV-005 pages from 0, in order of name, with the size and the total of the server", async () => {
    await app.services.db.withCompany(companyId, (tx) =>
      sql`INSERT INTO receivers (company_id, id, name, pix_key_type, pix_key, created_at)
          SELECT ${companyId}, uuidv7(), 'Pessoa ' || lpad(n::text, 3, '0'), 'EMAIL', n || '@x.com', now()
          FROM generate_series(1, ${pageSize + 3}) n`.execute(tx),
    );
    const [first, second] = [await list(), await list({ page: "1" })];
    expect(first.metadata).toEqual({ pagination: { itemsPerPage: pageSize, totalItems: pageSize + 3 } });
    expect(first.data).toHaveLength(pageSize);
    expect(first.data[0].name).toBe("Pessoa 001");
    expect(second.data.map(({ name }: { name: string }) => name)).toEqual([
      "Pessoa 051",
      "Pessoa 052",
      "Pessoa 053",
    ]);
    expect((await list({ page: "9" })).data).toEqual([]);
    expect((await helena.call(contracts.listReceivers, { query: { page: "-1" } })).status).toBe(400);
  });

  it("orders as people read: without accents and capitals, and a key where there is no name", async () => {
    for (const [name, key] of [
      ["Érica", "1"],
      ["eduardo", "2"],
      ["Zeca", "3"],
      [null, "fulano"],
    ] as const)
      await saved(pix({ name, pix_key: `${key}@x.com` }));
    expect(await names()).toEqual(["eduardo", "Érica", null, "Zeca"]);
  });

  it("RCV-001 RCV-005 finds by name, CPF, agency and account, with and without their marks", async () => {
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

  it("RCV-001 RCV-002 RCV-005 filters by bank and by status, beside each other and a search", async () => {
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
    expect(await names({ bankId: itau })).toEqual(["Conceição Araújo"]);
    expect(await names({ status: "CREATED" })).toEqual(["Ana Lima", "Conceição Araújo"]);
    expect((await list({ status: "FAILED", search: "conceicao" })).data).toMatchObject([
      { status: "FAILED", status_description: "Conta encerrada." },
    ]);
    expect(await names({ status: "FAILED", bankId: itau })).toEqual([]);
    expect((await helena.call(contracts.listReceivers, { query: { status: "TALVEZ" } })).status).toBe(400);
  });

  it("shows strangers' CPFs masked to everybody, and whole to who may pay once one is opened", async () => {
    const { id } = await saved(account());
    for (const person of [helena, rui, ana])
      expect((await list({}, person)).data[0].cpf_cnpj).toBe("***.456.789-**");
    expect((await read(id, rui)).body.cpf_cnpj).toBe("12345678909");
    expect((await read(id, ana)).body.cpf_cnpj).toBe("***.456.789-**");
    const company = await saved(account({ cpf_cnpj: "12.ABC.345/01DE-35" }));
    expect((await read(company.id, ana)).body.cpf_cnpj).toBe("12.ABC.345/01DE-35");
  });
});

it("finds an analyst nobody by the digits of a CPF that are hidden from them", async () => {
  await saved(account());
  await saved(pix({ name: "Ana Lima", pix_key_type: "CPF", pix_key: "529.982.247-25", cpf_cnpj: null }));
  const namesFor = async (search: string, person: Person) =>
    (await list({ search }, person)).data.map(({ name }: { name: string }) => name);
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

  it("RCV-021 needs three letters, and finds in this company only", async () => {
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
      expect([search, (await found(search)).data.map(({ name }: { name: string }) => name)]).toEqual([
        search,
        ["Conceição Araújo"],
      ]);
    expect((await found("%%%")).data).toEqual([]);
    expect((await found("conceicao", marcos)).data).toEqual([]);
  });

  it("RCV-021 gives all a payment needs to who may pay, and a masked CPF to an analyst", async () => {
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
    // Who cannot pay has no form to fill.
    expect((await found("conceicao", ana)).data[0].cpf_cnpj).toBe("***.456.789-**");
  });

  it("RCV-021 offers the first eight in order of name", async () => {
    for (let n = 9; n > 0; n--) await saved(pix({ name: `Pessoa ${n}`, pix_key: `${n}@x.com` }));
    expect((await found("pessoa")).data.map(({ name }: { name: string }) => name)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `Pessoa ${n}`),
    );
  });
});
