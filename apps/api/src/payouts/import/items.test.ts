/** Payments sent as a list: repeated or mistaken ids, and the size of one request. */

import { deleteBatch } from "@malote/contracts/batch-life";
import { createBatch, readBatch } from "@malote/contracts/batches";
import { importSheet } from "@malote/contracts/import";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Person, TestApp } from "../../testing/app.ts";
import { buildImportApp, fetchTransfers } from "../../testing/import-kit.ts";

let app: TestApp;
let helena: Person;
beforeAll(async () => {
  app = await buildImportApp();
  helena = await app.as("helena@aurora.example");
});
afterAll(() => app.close());

const item = (value: number, id?: string) => ({
  ...(id && { id }),
  value,
  destination_bank_account: { pix_key_type: "EMAIL", pix_key: "p@exemplo.com.br" },
});
const send = (body: object) => helena.call(importSheet, { body });

describe("a list of payments", () => {
  it("is not treated as imported if its id is that of a deleted batch", async () => {
    const request = { id: crypto.randomUUID(), name: "Folha", items: [item(1_00)] };
    expect((await send(request)).status).toBe(200);
    await helena.call(deleteBatch, { params: { id: request.id } });
    expect(await send(request)).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it("reports the payments of an older batch with its id", async () => {
    const id = crypto.randomUUID();
    await helena.call(createBatch, { body: { id, name: "Outro", transfers: [item(1_00), item(2_00)] } });
    const { body } = await send({ id, name: "Folha", items: [item(3_00)] });
    expect(body).toMatchObject({ batch_id: id, file_name: "Outro", rows_read: 2, rows_total: 2 });
  });

  it("is refused with the id of a batch of boletos", async () => {
    const id = crypto.randomUUID();
    await helena.call(createBatch, { body: { id, name: "Contas", type: "BILLET" } });
    expect(await send({ id, name: "Folha", items: [item(1_00)] })).toMatchObject({
      status: 422,
      body: { code: "batch_wrong_type" },
    });
  });

  it("is refused whole if one of its payments has the id of another batch's payment", async () => {
    const taken = crypto.randomUUID();
    await send({ name: "Primeira", items: [item(1_00, taken)] });
    const id = crypto.randomUUID();
    const refused = await send({ id, name: "Segunda", items: [item(2_00), item(3_00, taken)] });
    expect(refused).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await helena.call(readBatch, { params: { id } })).status).toBe(404);
  });

  it("keeps the last version of a payment that it names twice", async () => {
    const id = crypto.randomUUID();
    const { body } = await send({ name: "Folha", items: [item(1_00, id), item(2_00, id), item(5_00)] });
    expect(body).toMatchObject({ rows_read: 2 });
    expect((await fetchTransfers(helena, body.batch_id)).map(({ value }) => value)).toEqual([2_00, 5_00]);
  });

  it("may be as long as the contract allows, with ordinary payments", async () => {
    const whole = {
      ...item(1_00),
      integration_id: "folha-2026-08-000001",
      pix_description: "Salário de agosto de 2026, filial de Campinas",
      destination_bank_account: {
        name: "Maria Aparecida de Souza Albuquerque",
        cpf_cnpj: "11222333000181",
        email: "maria.aparecida@exemplo.com.br",
        bank_id: "60701190",
        agency: "1234",
        account: "56789",
        account_digit: "7",
        account_type: "CONTA_CORRENTE",
      },
    };
    const { status, body } = await send({
      name: "Folha",
      items: Array.from({ length: 10_000 }, () => whole),
    });
    expect([status, body.rows_read]).toEqual([200, 10_000]);
  });

  it("is refused above the maximum size, which the refusal names", async () => {
    const item200 = { ...item(1_00), pix_description: "x".repeat(2_000) };
    const answer = await send({ name: "Folha", items: Array.from({ length: 9_000 }, () => item200) });
    expect(answer).toMatchObject({
      status: 413,
      body: { code: "payload_too_large", data: { limit: "12 MB" } },
    });
    const other = await helena.call(createBatch, { body: { name: "x".repeat(2_000_000) } });
    expect(other).toMatchObject({ status: 413, body: { data: { limit: "1 MB" } } });
  });
});
