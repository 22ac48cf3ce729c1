/** The list of transfers of a batch: pages, filters and search. */
import { saveBatch } from "@malote/contracts/batches";
import * as contracts from "@malote/contracts/transfers";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkBooks } from "../../ledger/check-books.ts";
import { buildTestApp, type Person, type TestApp } from "../../testing/app.ts";
import { byKey, companyId, draftCalls, pix, ted } from "../../testing/transfer-drafts-kit.ts";

let app: TestApp;
let helena: Person;
let marcos: Person;
let batchId: string;
beforeAll(async () => {
  app = await buildTestApp();
  [helena, marcos] = await Promise.all([app.as("helena@aurora.example"), app.as("marcos@horizonte.example")]);
});
beforeEach(async () => {
  batchId = await newBatch();
});
afterAll(async () => {
  expect(await checkBooks(app.services.db)).toEqual([]);
  await app.close();
});

const { newBatch, add, change } = draftCalls(
  () => helena,
  () => batchId,
);

const list = async (query: Record<string, string> = {}, id = batchId) =>
  (await helena.call(contracts.listTransfers, { params: { id }, query })).body;

describe("the list of a batch", () => {
  const names = (body: { data: contracts.Transfer[] }) =>
    body.data.map((transfer) => transfer.destination_bank_account.name);

  it("BAT-041 shows 50 at a time in their stored order, and nothing after the end", async () => {
    const transfers = Array.from({ length: 120 }, (_, n) => pix({ value: n + 1 }));
    await helena.call(saveBatch, { params: { id: batchId }, body: { name: "Folha", transfers } });
    const pages = await Promise.all(["0", "1", "2", "3"].map((page) => list({ page })));
    expect(pages.map((page) => page.data.length)).toEqual([50, 50, 20, 0]);
    expect(pages.flatMap((page) => page.data.map((transfer: contracts.Transfer) => transfer.value))).toEqual(
      transfers.map((transfer) => transfer.value),
    );
    expect(pages[3]?.metadata).toEqual({ pagination: { itemsPerPage: 50, totalItems: 120 } });
    const filtered = await Promise.all(["0", "1", "2", "3"].map((page) => list({ page, status: "CREATED" })));
    expect(filtered).toEqual(pages);
    for (const page of ["-1", "2001", "x", "1.5"]) {
      expect(
        (await helena.call(contracts.listTransfers, { params: { id: batchId }, query: { page } })).status,
      ).toBe(400);
    }
    expect((await helena.call(contracts.listTransfers, { params: { id: crypto.randomUUID() } })).status).toBe(
      404,
    );
  });

  it("BAT-041 TRF-009 TRF-010 filters by status, errors and warnings, and counts the filtered ones", async () => {
    await add(pix({ to: { name: "Certa" } }));
    const wrong = (await add(pix({ value: null, to: { name: "Errada" } }))).body.id;
    await add(ted({ payment_date: "2026-08-16", to: { name: "Avisada" } }));
    const found = async (status: string) => {
      const body = await list({ status });
      expect(body.metadata.pagination.totalItems).toBe(body.data.length);
      return names(body);
    };
    expect(await found("CREATED")).toEqual(["Certa", "Errada", "Avisada"]);
    expect(await found("WITH_ERRORS")).toEqual(["Errada"]);
    expect(await found("FAILED")).toEqual(["Errada"]);
    expect(await found("WITH_WARNINGS")).toEqual(["Avisada"]);
    for (const status of ["SCHEDULED", "RECEIVED", "TRANSFERRED", "RETURNED"])
      expect(await found(status)).toEqual([]);
    expect(await list()).toMatchObject({
      failedTransfersSummary: { count: 1, value: 0, ids: [wrong] },
      is_all_transfers_scheduled: false,
    });
    const failed = await helena.call(contracts.listFailedTransferIds, { params: { id: batchId } });
    expect(failed.body).toEqual({ ids: [wrong], value: 0 });
    expect(
      (await helena.call(contracts.listTransfers, { params: { id: batchId }, query: { status: "x" } }))
        .status,
    ).toBe(400);
  });

  it("BAT-041 BAT-046 names 500 failed payments on a page, all of them by a separate call, and none of another company", async () => {
    await app.services.db.pool.query(
      `INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, name, errors, created_at)
       SELECT company_id, uuidv7(), id, n, 'CREATED', 100, 'PIX', 'Sem chave', '[{"code":"pix_key_invalid","field":"pix_key"}]', now()
       FROM batches, generate_series(1, 700) n WHERE id = $1`,
      [batchId],
    );
    await app.services.db.pool.query(
      `UPDATE batches SET payments_count = payments_count + 700, errors_count = errors_count + 700, value = value + 70000
       WHERE id = $1`,
      [batchId],
    );
    const { failedTransfersSummary: summary, data } = await list();
    expect([data.length, summary.count, summary.value]).toEqual([50, 700, 700_00]);
    expect(new Set(summary.ids).size).toBe(500);
    const all = await helena.call(contracts.listFailedTransferIds, { params: { id: batchId } });
    expect(new Set(all.body.ids).size).toBe(700);
    const theirs = await marcos.call(contracts.listFailedTransferIds, { params: { id: batchId } });
    expect(theirs).toMatchObject({ status: 404, body: { code: "not_found" } });
    const removed = await helena.call(contracts.removeTransfers, { params: { id: batchId }, body: all.body });
    expect(removed.body).toEqual({ removed: 700 });
  });

  it("finds by name, document, key, account, integration id and value, and treats signs of patterns literally", async () => {
    await add(ted({ value: 1_234_56, integration_id: "NF-77", to: { name: "João 100% Ltda" } }));
    await add(byKey("TELEFONE", "11987654321", { value: 9_99, to: { name: "Maria_Silva Souza" } }));
    const found = async (search: string) => names(await list({ search }));
    const [joao, maria] = [["João 100% Ltda"], ["Maria_Silva Souza"]];
    for (const search of ["joão", "12.ABC.345", "12abc345", "NF-77", "1.234,56", "12345", "100%"])
      expect([search, await found(search)]).toEqual([search, joao]);
    for (const search of ["silva", "98765", "9,99", "_"])
      expect([search, await found(search)]).toEqual([search, maria]);
    for (const search of ["ninguém", "\\", "'; DROP TABLE transfers; --"])
      expect([search, await found(search)]).toEqual([search, []]);
    expect(await found("  ")).toHaveLength(2);
  });

  it("BAT-036 BAT-041 ignores accents and capitals, in the text and in the search", async () => {
    const decomposed = "André Simões".normalize("NFD");
    for (const name of ["José da Conceição", "JOAO MÜLLER", "Begoña Núñez", decomposed])
      await add(pix({ to: { name, pix_key: "a@exemplo.com.br" } }));
    await add(pix({ integration_id: "Ação-Ü1", to: { name: "Renata", pix_key: "Çedilha@exemplo.com.br" } }));
    const found = async (search: string) => names(await list({ search }));
    for (const [name, ...searches] of [
      ["José da Conceição", "jose", "JOSÉ", "conceicao", "Conceição", "CONCEIÇÃO", "jose\u0301 da"],
      ["JOAO MÜLLER", "joão", "João", "muller", "müller"],
      ["Begoña Núñez", "begona", "BEGOÑA", "nunez", "ñÚñ"],
      [decomposed, "andre", "ANDRÉ", "simoes", decomposed],
      ["Renata", "acao-u1", "AÇÃO-ü", "cedilha@", "ÇEDILHA"],
    ])
      for (const search of searches) expect([search, await found(search)]).toEqual([search, [name]]);
  });

  it("BAT-041 treats %, _ and backslash literally", async () => {
    for (const name of ["Sinal de 50% pago", "Ana_Maria", "Barra \\ Filhos", "Ana Maria"])
      await add(pix({ to: { name } }));
    const found = async (search: string) => names(await list({ search }));
    expect(await found("50%")).toEqual(["Sinal de 50% pago"]);
    expect(await found("%")).toEqual(["Sinal de 50% pago"]);
    expect(await found("_")).toEqual(["Ana_Maria"]);
    expect(await found("ana_maria")).toEqual(["Ana_Maria"]);
    expect(await found("\\")).toEqual(["Barra \\ Filhos"]);
    expect(await found("\\%")).toEqual([]);
    expect(await found("5_%")).toEqual([]);
  });

  it("BAT-041 finds a document by its beginning, a complete account, and a value", async () => {
    await add(ted({ value: 7_654_32 }));
    await add(
      byKey("CPF", "529.982.247-25", { value: 80_00, to: { name: "Zeca", cpf_cnpj: "529.982.247-25" } }),
    );
    const found = async (search: string) => names(await list({ search }));
    const padaria = ["Padaria Três Irmãos Ltda"];
    for (const search of ["12.ABC.345/01DE-35", "12abc", "12.ABC", "12345", "7.654,32", "7654,32"])
      expect([search, await found(search)]).toEqual([search, padaria]);
    for (const search of ["ABC345", "2345", "1234", "123456", "7.654,33", "765432"])
      expect([search, await found(search)]).toEqual([search, []]);
    for (const search of ["52998224725", "529.982", "80,00"])
      expect([search, await found(search)]).toEqual([search, ["Zeca"]]);
    // A text may match any part of a key.
    expect(await found("98224")).toEqual(["Zeca"]);
  });

  it("BAT-041 never finds another company's payments, whatever batch is requested", async () => {
    const theirs = await newBatch(marcos);
    await add(pix({ to: { name: "José de Horizonte" } }), marcos, theirs);
    await add(pix({ to: { name: "José de Aurora" } }));
    const requested = (person: Person, id: string) =>
      person.call(contracts.listTransfers, { params: { id }, query: { search: "jose" } });
    expect(names((await requested(helena, batchId)).body)).toEqual(["José de Aurora"]);
    expect(names((await requested(marcos, theirs)).body)).toEqual(["José de Horizonte"]);
    expect((await requested(helena, theirs)).body.code).toBe("not_found");
    // Row security alone applies, without a condition on the company.
    const { rows } = await app.services.db.withCompany(companyId, (tx) =>
      sql<{
        name: string;
      }>`SELECT name FROM transfers WHERE search_text LIKE fold_text('%de Horizonte%')`.execute(tx),
    );
    expect(rows).toEqual([]);
  });

  it("TRF-018 BAT-041 stores a draft payment with mistakes of any length, and finds it by a part of them", async () => {
    // No character repeats, so that compression does not help.
    const signs = (count: number) =>
      Array.from({ length: count }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000))).join("");
    const long = signs(255);
    const wrong = { name: long, pix_key: long, cpf_cnpj: signs(25), account: signs(30) };
    const { status, body } = await add(ted({ integration_id: long, to: wrong }));
    expect([status, body.code]).toEqual([200, undefined]);
    expect(names(await list({ search: signs(40) }))).toEqual([long]);
    expect((await change(body.id, pix({ to: { name: "Émile" } }))).status).toBe(200);
    expect(names(await list({ search: signs(1) }))).toEqual([]);
    expect(names(await list({ search: "emile" }))).toEqual(["Émile"]);
  });
});
