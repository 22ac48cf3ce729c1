import { randomUUID } from "node:crypto";
import * as contracts from "@malote/contracts/receivers";
import type { DestinationInput } from "@malote/contracts/transfers";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoBlockedTaxIds } from "../adapters/sandbox/demo/demo-data.ts";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";
import { setCompany } from "../testing/operator-kit.ts";
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

const { create, read, list, names, saved } = receiverCalls(() => helena);

const change = (id: string, body: object, person = helena) =>
  person.call(contracts.changeReceiver, { params: { id }, body });
const remove = (id: string, person = helena) => person.call(contracts.removeReceiver, { params: { id } });
const removeMany = (ids: string[], person = helena) =>
  person.call(contracts.removeReceivers, { body: { ids } });
const trail = async (subjectId: string) => {
  const { rows } = await app.services.db.withCompany(companyId, (tx) =>
    sql<{ action: string; actor_name: string; detail: object }>`
      SELECT action, actor_name, detail FROM audit_entries WHERE subject_id = ${subjectId} ORDER BY id
    `.execute(tx),
  );
  return rows;
};

describe("permissions", () => {
  it("let analysts read, but neither save nor delete", async () => {
    const { id } = await saved(account());
    expect((await create(pix(), ana)).status).toBe(403);
    expect((await change(id, { name: "Outra Pessoa" }, ana)).status).toBe(403);
    expect((await remove(id, ana)).status).toBe(403);
    expect((await removeMany([id], ana)).status).toBe(403);
    expect(await names({}, ana)).toEqual(["Conceição Araújo"]);
    expect((await read(id, ana)).status).toBe(200);
  });

  it("RCV-014 RCV-015 RCV-017 RCV-020 hide the receivers of another company", async () => {
    const { id } = await saved(account());
    expect(await list({}, marcos)).toMatchObject({ data: [], metadata: { pagination: { totalItems: 0 } } });
    expect((await read(id, marcos)).status).toBe(404);
    expect((await change(id, { name: "Outra Pessoa" }, marcos)).status).toBe(404);
    expect((await remove(id, marcos)).status).toBe(404);
    expect((await removeMany([id], marcos)).body).toEqual({ removed: 0 });
    expect(await names()).toEqual(["Conceição Araújo"]);
    // Both companies may save the same key.
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
    [
      "a CNPJ key that is none",
      pix({ pix_key_type: "CNPJ", pix_key: "12.ABC.345/01DE-36" }),
      ["pix_key pix_key_cnpj_invalid"],
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
      "a public entity outside the Caixa",
      account({ cpf_cnpj: "12.ABC.345/01DE-35", account_type: "ENTIDADES_PUBLICAS" }),
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

  it("RCV-011 accepts a public entity at any bank if the company does not require the Caixa", async () => {
    await setCompany(app.services, companyId, { publicEntityNeedsCaixa: false });
    const entity = account({ cpf_cnpj: "12.ABC.345/01DE-35", account_type: "ENTIDADES_PUBLICAS" });
    expect(await saved(entity)).toMatchObject({ bank_id: itau, account_type: "ENTIDADES_PUBLICAS" });
    await setCompany(app.services, companyId, { publicEntityNeedsCaixa: true });
  });

  it("RCV-011 requires no e-mail, and for a key neither name nor document", async () => {
    await saved(pix({ name: null }));
    await saved(account({ email: "contas@exemplo.com.br" }));
    expect((await list()).metadata.pagination.totalItems).toBe(2);
  });
});

describe("saving", () => {
  it("RCV-013 RCV-014 RCV-015 creates a receiver with every field in its normalised form, and returns it", async () => {
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
  });

  it.each([
    ["TELEFONE", "(11) 98765-4321", "+5511987654321"],
    ["CNPJ", "12.abc.345/01de-35", "12ABC34501DE35"],
    ["CPF", "529.982.247-25", "52998224725"],
    ["EMAIL", " Ana@Exemplo.com.br ", "ana@exemplo.com.br"],
    ["CHAVE_ALEATORIA", "3718A543-BD10-4488-8B6B-F71AEF289800", "3718a543-bd10-4488-8b6b-f71aef289800"],
  ] as const)(
    "PIX-002 RCV-013 creates a receiver by a key of the kind %s",
    async (pix_key_type, typed, pix_key) => {
      const byKey = await saved(pix({ pix_key_type, pix_key: typed }));
      expect((await read(byKey.id)).body).toMatchObject({ pix_key, pix_key_type, bank_id: null });
    },
  );

  it("RCV-013 stores an agency's digit, of a new receiver and of a changed one", async () => {
    const bancoDoBrasil = {
      bank_id: "00000000",
      agency: "1584",
      agency_digit: "9",
      account: "210169",
      account_digit: "6",
    };
    const created = await saved(account(bancoDoBrasil));
    expect((await read(created.id)).body).toMatchObject(bancoDoBrasil);
    const { id } = await saved(account());
    expect((await change(id, { ...bancoDoBrasil, cpf_cnpj: "529.982.247-25" })).status).toBe(200);
    expect((await read(id)).body).toMatchObject(bancoDoBrasil);
  });

  it("RCV-014 changes only the fields that are sent", async () => {
    const { id } = await saved(account());
    const { body, status } = await change(id, { name: "Conceição A. Lima", email: "c@exemplo.com.br" }, rui);
    expect([status, body.name, body.email, body.account]).toEqual([
      200,
      "Conceição A. Lima",
      "c@exemplo.com.br",
      "12345",
    ]);
    expect((await change(id, { email: null })).body.email).toBeNull();
    const other = { account_type: "CONTA_POUPANCA", cpf_cnpj: "529.982.247-25" };
    expect((await change(id, other)).status).toBe(200);
    expect((await read(id)).body).toMatchObject({
      name: "Conceição A. Lima",
      cpf_cnpj: "52998224725",
      account: "12345",
      account_type: "CONTA_POUPANCA",
    });
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

  it("saves the same key or account once, in whatever form it is written", async () => {
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

  it("RCV-013 saves one receiver for a repeated call, also concurrently", async () => {
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

  it("keeps the stored CPF if a masked one is sent", async () => {
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
    // In a new receiver a masked CPF has no stored value.
    expect((await create(account({ cpf_cnpj: "***.456.789-**" }))).body.code).toBe("receiver_invalid");
  });

  it("S10 writes an entry for each change, with the former value", async () => {
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
    // Its key can be saved again.
    await saved(pix());
  });

  it("RCV-020 deletes the chosen ones and no other", async () => {
    const [a, b, c] = await Promise.all(
      ["a@x.com", "b@x.com", "c@x.com"].map((pix_key) => saved(pix({ pix_key }))),
    );
    expect((await removeMany([])).status).toBe(400);
    expect((await removeMany([a!.id, b!.id, randomUUID()], rui)).body).toEqual({ removed: 2 });
    expect((await removeMany([a!.id])).body).toEqual({ removed: 0 });
    expect((await list()).data.map(({ id }) => id)).toEqual([c!.id]);
  });
});
