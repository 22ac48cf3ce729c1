/** The history of validations: pages, filters and readers. */
import { randomUUID } from "node:crypto";
import { createValidation } from "@malote/contracts/validation";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import type { Person } from "../testing/app.ts";
import { auroraId, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { account, key, validationCalls } from "../testing/validation-kit.ts";

let kit: PaymentsKit;
let admin: Person;
let operator: Person;
let analyst: Person;
beforeAll(async () => {
  kit = await openPayments();
  [admin, operator, analyst] = await Promise.all([
    kit.as("helena@aurora.example", "validation"),
    kit.as("rui@aurora.example", "validation"),
    kit.as("ana@aurora.example", "validation"),
  ]);
});
afterAll(() => kit.close());
beforeEach(async () => {
  await kit.services.db.pool.query("DELETE FROM validations");
});

const { read, made, settle, found } = validationCalls(
  () => kit,
  () => admin,
);

describe("the history", () => {
  it("VAL-013 VAL-028 VAL-029 lists the newest first, 12 at a time, with CPFs masked", async () => {
    for (let n = 0; n < 13; n++) await made(key(`pessoa${n}@exemplo.com.br`));
    const cpf = "52998224725";
    const holder = { cpf_cnpj: cpf, pix_key_validation: { cpf_cnpj: cpf } };
    await made({ pix_key_type: "CPF", pix_key: cpf, ...holder });
    const first = await found();
    expect(first.metadata.pagination).toEqual({ itemsPerPage: 12, totalItems: 14 });
    expect(first.data).toHaveLength(12);
    const hidden = "***.982.247-**";
    const masked = { pix_key: hidden, cpf_cnpj: hidden, pix_key_validation: { cpf_cnpj: hidden } };
    expect(first.data[0].data).toMatchObject(masked);
    expect(
      (await found({ page: "1" })).data.map(({ data }: { data: { pix_key: string } }) => data.pix_key),
    ).toEqual(["pessoa1@exemplo.com.br", "pessoa0@exemplo.com.br"]);
    expect((await found({ itemsPerPage: "5", page: "2" })).data).toHaveLength(4);
    // A filter and a search apply to later pages and to the total too.
    const wrong = await made({ ...account, account_digit: "1" });
    const rest = await found({ searchTerm: "exemplo.com.br", page: "1" });
    expect(rest.metadata.pagination.totalItems).toBe(13);
    expect(rest.data.map(({ data }: { data: { pix_key: string } }) => data.pix_key)).toEqual([
      "pessoa0@exemplo.com.br",
    ]);
    const valid = await found({ valid: "true", itemsPerPage: "5", page: "2" });
    expect(valid.metadata.pagination).toEqual({ itemsPerPage: 5, totalItems: 14 });
    expect(valid.data).toHaveLength(4);
    expect((await found({ valid: "false" })).data.map(({ id }) => id)).toEqual([wrong]);
    const { id } = first.data[0];
    expect((await read(id)).data).toMatchObject({ pix_key: cpf, ...holder });
    expect((await read(id, operator)).data).toMatchObject({ pix_key: cpf, ...holder });
    expect((await read(id, analyst)).data).toMatchObject(masked);
  });

  it("finds nothing for an analyst by the hidden digits of a CPF", async () => {
    const ofKey = await made(key("529.982.247-25", { pix_key_type: "CPF" }));
    const ofAccount = await made({ ...account, cpf_cnpj: "390.533.447-05" });
    const ids = async (searchTerm: string, by: Person) =>
      (await found({ searchTerm }, by)).data.map(({ id }) => id);
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

  it("VAL-024 VAL-028 filters by type, outcome, days, source and text", async () => {
    await kit.deposit(1_00);
    const right = await made(account);
    const wrong = await made({ ...account, name: "Ótica Luz", account_digit: "1" });
    const arrived = await made(key("+55 11 98765-4321", { pix_key_type: "TELEFONE" }), "MICRO_DEPOSIT");
    await settle();
    const underWay = await made(key("depois@exemplo.com.br"), "MICRO_DEPOSIT");
    const ids = async (query: Record<string, string>) => (await found(query)).data.map(({ id }) => id).sort();
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

  it("VAL-028 uses the days of São Paulo", async () => {
    const madeAt = async (instant: string) => {
      kit.clock.set(instant);
      return made(account);
    };
    const late = await madeAt("2026-08-13T02:59:00Z");
    const early = await madeAt("2026-08-13T03:00:00Z");
    const ids = async (query: Record<string, string>) => (await found(query)).data.map(({ id }) => id);
    expect(await ids({ endDate: "2026-08-12" })).toEqual([late]);
    expect(await ids({ initialDate: "2026-08-13" })).toEqual([early]);
    expect(await ids({ initialDate: "2026-08-12", endDate: "2026-08-13" })).toEqual([early, late]);
  });

  it("VAL-028 marks validations by a credential", async () => {
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
