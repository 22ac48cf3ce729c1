/** Sheets whose columns a person assigns. */
import { readBatch, saveBatch } from "@malote/contracts/batches";
import { importSheet as importContract, readSheet } from "@malote/contracts/import";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkBooks } from "../../ledger/check-books.ts";
import type { Person, TestApp } from "../../testing/app.ts";
import {
  buildImportApp,
  csvOf,
  draftOfFile,
  fetchTransfers,
  importFile,
  pixHeadings,
  pixRow,
  runImports,
} from "../../testing/import-kit.ts";

let app: TestApp;
let helena: Person;
let ana: Person;
let marcos: Person;

beforeAll(async () => {
  app = await buildImportApp();
  [helena, ana, marcos] = await Promise.all([
    app.as("helena@aurora.example"),
    app.as("ana@aurora.example"),
    app.as("marcos@horizonte.example"),
  ]);
});
afterAll(async () => {
  expect(await checkBooks(app.services.db)).toEqual([]);
  await app.close();
});
const batch = async (id: string) => (await helena.call(readBatch, { params: { id } })).body;

describe("columns that a person assigns", () => {
  const read = (sheet_id: string, columns?: object[], person = helena) =>
    person.call(importContract, { body: { sheet_id, ...(columns && { columns }) } });
  const dates = csvOf([
    ["Chave Pix", "Valor", "Data", "Vencimento", "Pagar em"],
    ["ana@exemplo.com.br", "10,00", "20/08/2026", "30/08/2026", "25/08/2026"],
  ]);

  it("IMP-012 asks about three columns of dates, reads by the answer, and remembers it only for the company", async () => {
    const refused = await importFile(app, helena, dates, "datas.csv");
    expect(refused).toMatchObject({
      state: "refused",
      refusal: {
        code: "sheet_unclear_columns",
        message: expect.stringContaining("Data, Vencimento e Pagar em"),
      },
      columns: [{ field: "pixKey" }, { field: "value" }, { may_be: "paymentDate" }, {}, {}],
    });
    const two = [2, 3].map((column) => ({ column, field: "paymentDate" }));
    expect(await read(refused.id, two)).toMatchObject({ status: 422, body: { code: "sheet_columns_twice" } });
    expect((await read(refused.id, [{ column: 3, field: "paymentDate" }], marcos)).status).toBe(404);
    expect((await read(refused.id, [{ column: 3, field: "paymentDate" }], ana)).status).toBe(403);
    const chosen = [2, 3, 4].map((column) => ({ column, field: column === 3 ? "paymentDate" : null }));
    expect((await read(refused.id, chosen)).body).toMatchObject({ state: "reading", refusal: null });
    await runImports(app);
    const done = (await helena.call(readSheet, { params: { id: refused.id } })).body;
    expect(done).toMatchObject({
      state: "imported",
      columns: [{}, {}, { field: null }, { field: "paymentDate" }, {}],
    });
    expect((await fetchTransfers(helena, done.batch_id))[0]?.payment_date).toBe("2026-08-30");

    const again = await draftOfFile(app, helena, dates, "de novo.csv");
    expect(again.transfers[0]?.payment_date).toBe("2026-08-30");
    const stranger = await importFile(app, marcos, dates, "outra empresa.csv");
    expect(stranger.state).toBe("refused");
  });

  it("refuses an answer while the sheet is read by another answer, and accepts the same answer twice", async () => {
    const refused = await importFile(app, helena, dates, "duas respostas.csv");
    const chosen = (which: number) =>
      [2, 3, 4].map((column) => ({ column, field: column === which ? "paymentDate" : null }));
    expect((await read(refused.id, chosen(3))).body.state).toBe("reading");
    expect((await read(refused.id, chosen(3).toReversed())).status).toBe(200);
    expect(await read(refused.id, chosen(4))).toMatchObject({
      status: 409,
      body: {
        code: "sheet_being_read",
        message: expect.stringContaining("já está sendo lida com outras colunas"),
      },
    });
    await runImports(app);
    const done = (await helena.call(readSheet, { params: { id: refused.id } })).body;
    expect((await fetchTransfers(helena, done.batch_id))[0]?.payment_date).toBe("2026-08-30");
  });

  it("IMP-010 asks each time about headings without meaning, and reads the sheet by the assigned columns", async () => {
    const sheet = csvOf([
      ["A", "B", "C"],
      ["Ana", "ana@exemplo.com.br", "10,00"],
      ["Bia", "bia@exemplo.com.br", "20,00"],
    ]);
    const refused = await importFile(app, helena, sheet, "letras.csv");
    expect(refused).toMatchObject({
      refusal: {
        message: "Seu arquivo está fora do modelo. Mantenha sempre os mesmos nomes do cabeçalho.",
      },
      columns: [{ field: null }, { field: "pixKey" }, { field: "value" }],
    });
    const chosen = ["name", "pixKey", "value"].map((field, column) => ({ column, field }));
    expect((await read(refused.id, chosen)).status).toBe(200);
    await runImports(app);
    const done = (await helena.call(readSheet, { params: { id: refused.id } })).body;
    expect(await batch(done.batch_id)).toMatchObject({ payments_count: 2, errors_count: 0, value: 30_00 });
    expect((await importFile(app, helena, sheet, "letras de novo.csv")).state).toBe("refused");
  });

  it("counts the person who chose the columns as a preparer, for this and for later sheets", async () => {
    const rui = await app.as("rui@aurora.example");
    const sheet = csvOf([
      ["Chave Pix", "Chave reserva", "Valor"],
      ["ana@exemplo.com.br", "outra@exemplo.com.br", "10,00"],
    ]);
    const fetchPreparers = async (id: string | null) =>
      (await app.services.db.pool.query("SELECT edited_by FROM batches WHERE id = $1", [id])).rows[0]
        .edited_by;
    const fetchId = async (email: string) =>
      (await app.services.db.pool.query("SELECT id FROM users WHERE email = $1", [email])).rows[0].id;
    const [ruiId, helenaId] = [await fetchId("rui@aurora.example"), await fetchId("helena@aurora.example")];

    const uploaded = await importFile(app, rui, sheet, "reservas.csv");
    const chosen = [
      { column: 0, field: null },
      { column: 1, field: "pixKey" },
    ];
    expect((await read(uploaded.id, chosen)).status).toBe(200);
    await runImports(app);
    const done = (await rui.call(readSheet, { params: { id: uploaded.id } })).body;
    expect(done).toMatchObject({ state: "imported", columns_chosen_by: "Helena Prado" });
    expect((await fetchTransfers(rui, done.batch_id))[0]?.destination_bank_account.pix_key).toBe(
      "outra@exemplo.com.br",
    );
    expect(await fetchPreparers(done.batch_id)).toEqual([ruiId, helenaId]);

    const later = await importFile(app, rui, sheet, "reservas de dezembro.csv");
    expect(later.columns_chosen_by).toBe("Helena Prado");
    expect(await fetchPreparers(later.batch_id)).toEqual([ruiId, helenaId]);

    expect((await read(later.id, chosen, rui)).status).toBe(200);
    await runImports(app);
    const own = (await rui.call(readSheet, { params: { id: later.id } })).body;
    expect(await fetchPreparers(own.batch_id)).toEqual([ruiId]);
    const next = await importFile(app, rui, sheet, "reservas de janeiro.csv");
    expect(await fetchPreparers(next.batch_id)).toEqual([ruiId]);
    const plain = await importFile(app, rui, csvOf([pixHeadings, pixRow()]), "comum.csv");
    expect(plain.columns_chosen_by).toBeNull();
    expect(await fetchPreparers(plain.batch_id)).toEqual([ruiId]);
  });

  it("replaces an unchanged draft when its sheet is read by other columns, and keeps a changed one", async () => {
    const sheet = csvOf([
      ["Chave Pix", "Valor", "Vencimento", "Lembrete"],
      ["ana@exemplo.com.br", "10,00", "30/08/2026", "NF 77"],
    ]);
    const first = await draftOfFile(app, helena, sheet, "lembrete.csv");
    expect(first.sheet.columns?.map(({ field }) => field)).toEqual(["pixKey", "value", "paymentDate", null]);
    expect((await batch(first.batchId)).sheet_id).toBe(first.sheet.id);
    await read(first.sheet.id, [{ column: 3, field: "pixDescription" }]);
    await runImports(app);
    const second = (await helena.call(readSheet, { params: { id: first.sheet.id } })).body;
    expect(second.batch_id).not.toBe(first.batchId);
    expect((await helena.call(readBatch, { params: { id: first.batchId } })).status).toBe(404);
    const [transfer] = await fetchTransfers(helena, second.batch_id);
    expect(transfer).toMatchObject({ pix_description: "NF 77", payment_date: "2026-08-30" });
    await helena.call(saveBatch, { params: { id: second.batch_id }, body: { name: "Guardado" } });
    expect(await read(first.sheet.id, [{ column: 3, field: null }])).toMatchObject({
      status: 409,
      body: { code: "sheet_already_used" },
    });
    expect((await batch(second.batch_id)).name).toBe("Guardado");
  });

  it("IMP-015 IMP-026 reports the mistakes of a sheet, and compares its total", async () => {
    const sheet = await importFile(
      app,
      helena,
      csvOf([
        pixHeadings,
        pixRow({ 6: "x".repeat(141) }),
        pixRow({ 6: "y".repeat(150) }),
        pixRow(),
        ["TOTAL", "", "", "", "30,00", "", "", ""],
      ]),
      "erros.csv",
    );
    expect(sheet).toMatchObject({
      state: "imported",
      mistakes: [{ text: "A mensagem Pix deve ter no máximo 140 caracteres por transação", count: 2 }],
      total: { sheet_row: 5, stated: 30_00, sum: 31_50 },
    });
    expect(await batch(sheet.batch_id ?? "")).toMatchObject({ payments_count: 3, errors_count: 2 });
  });

  it("IMP-026 reports every mistake of a row, the most frequent first", async () => {
    const rows = [
      pixRow({ 4: "abc" }),
      pixRow({ 4: "abc", 6: "x".repeat(141) }),
      pixRow({ 6: "y".repeat(141) }),
      pixRow({ 6: "z".repeat(141) }),
    ];
    const sheet = await importFile(app, helena, csvOf([pixHeadings, ...rows]), "duas.csv");
    expect(sheet.mistakes).toEqual([
      { text: "A mensagem Pix deve ter no máximo 140 caracteres por transação", count: 3 },
      { text: "Valor inválido", count: 2 },
    ]);
  });

  it("IMP-026 reports the document of a payment by key as wrong, and not the account, like the file of bad rows", async () => {
    const { batchId, sheet } = await draftOfFile(
      app,
      helena,
      csvOf([pixHeadings, pixRow({ 1: "111.111.111-11" }), pixRow()]),
      "documento.csv",
    );
    expect(sheet.mistakes).toEqual([{ text: "O CPF/CNPJ deve ser válido", count: 1 }]);
    const [, row = ""] = (await badRows(batchId, "csv")).toString().trim().split("\r\n");
    expect(row.split(";").at(-1)).toBe('"O CPF/CNPJ deve ser válido"');
  });

  it("reads a single amount below payments with that sum as their total, and any other as a payment", async () => {
    const rows = [pixHeadings, pixRow({ 4: "10,50" }), pixRow({ 4: "20,00" })];
    const alone = (amount: string) => ["", "", "", "", amount, "", "", ""];
    const summed = await importFile(app, helena, csvOf([...rows, alone("30,50")]), "soma.csv");
    expect(summed.total).toEqual({ sheet_row: 4, stated: 30_50, sum: 30_50 });
    expect(await batch(summed.batch_id ?? "")).toMatchObject({
      payments_count: 2,
      errors_count: 0,
      value: 30_50,
    });
    // An amount that differs by one centavo may be a payment with missing cells, so a person has to decide.
    const other = await importFile(app, helena, csvOf([...rows, alone("30,51")]), "outra.csv");
    expect(other.total).toBeNull();
    expect(await batch(other.batch_id ?? "")).toMatchObject({ payments_count: 3, errors_count: 1 });
    // Below a single payment it may be the second half of it.
    const twice = await importFile(
      app,
      helena,
      csvOf([pixHeadings, pixRow({ 4: "10,50" }), alone("10,50")]),
      "duas.csv",
    );
    expect(await batch(twice.batch_id ?? "")).toMatchObject({ payments_count: 2, errors_count: 1 });
  });

  it("returns the bad rows of a sheet with assigned columns in its own columns", async () => {
    const own = csvOf([
      ["Para", "Chave Pix", "Valor", "Data", "Vencimento"],
      ["Ana", "sem-arroba", "10,00", "20/08/2026", "30/08/2026"],
    ]);
    const refused = await importFile(app, helena, own, "proprio.csv");
    await read(refused.id, [
      { column: 0, field: "name" },
      { column: 3, field: null },
      { column: 4, field: "paymentDate" },
    ]);
    await runImports(app);
    const done = (await helena.call(readSheet, { params: { id: refused.id } })).body;
    const file = await badRows(done.batch_id, "csv");
    expect(file.toString()).toContain('"20/08/2026";"30/08/2026"');
    // A sheet with the same headings, and the reasons beside them, asks the person no more.
    const again = await draftOfFile(app, helena, file, "corrigir.csv");
    expect(again.transfers[0]).toMatchObject({
      payment_date: "2026-08-30",
      destination_bank_account: { name: "Ana" },
    });
  });
});

async function badRows(batchId: string, format: "xlsx" | "csv"): Promise<Buffer> {
  const answer = await app.server.inject({
    method: "GET",
    url: `/api/payments/app/batch/${batchId}/badRows?format=${format}`,
    headers: { authorization: `Bearer ${helena.token}` },
  });
  expect(answer.statusCode).toBe(200);
  return answer.rawPayload;
}
