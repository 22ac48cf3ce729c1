import { randomUUID } from "node:crypto";
import {
  deleteBatch,
  downloadBadRows,
  fixIssueGroup,
  listBatches,
  listIssueGroups,
  listIssueRows,
  readBatch,
  saveBatch,
} from "@malote/contracts/batches";
import { cancelSheet, importSheet as importContract, readSheet } from "@malote/contracts/import";
import { changeTransfer, type Transfer } from "@malote/contracts/transfers";
import {
  buildWorkbook,
  buildZip,
  inlineRow,
  inlineWorkbook,
  workbookParts,
  worksheet,
} from "@malote/sheet-reader/testing-workbook";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies } from "../../adapters/sandbox/demo/seed.ts";
import { checkBooks } from "../../ledger/check-books.ts";
import type { Person, TestApp } from "../../testing/app.ts";
import {
  buildImportApp,
  codes,
  csvOf,
  draftOfFile,
  importFile,
  pixHeadings,
  pixRow,
  runImports,
  tedHeadings,
  tedRow,
  transfersOf,
  upload,
} from "../../testing/import-kit.ts";
import { importSheet } from "./import-sheet.ts";

let app: TestApp;
let helena: Person;
let ana: Person;
let marcos: Person;
const companyId = demoCompanies[0]?.id ?? "";
const bomb = makeBomb();

beforeAll(async () => {
  app = await buildImportApp();
  [helena, ana, marcos] = await Promise.all([
    app.as("helena@aurora.example"),
    app.as("ana@aurora.example"),
    app.as("marcos@horizonte.example"),
  ]);
});
afterAll(async () => {
  expect(await checkBooks(app.parts.db)).toEqual([]);
  await app.close();
});

const batchesOf = async (sheetId: string) =>
  (
    await app.parts.db.withCompany(companyId, (tx) =>
      sql<{ id: string; payments_count: number }>`
        SELECT id, payments_count FROM batches WHERE company_id = ${companyId} AND sheet_id = ${sheetId}`.execute(
        tx,
      ),
    )
  ).rows;

const stateOf = async (sheetId: string) => (await helena.call(readSheet, { params: { id: sheetId } })).body;
const batch = async (id: string) => (await helena.call(readBatch, { params: { id } })).body;

async function started(content: Buffer, fileName?: string): Promise<string> {
  const { body } = await upload(helena, content, fileName);
  await helena.call(importContract, { body: { sheet_id: body.id } });
  return body.id;
}

describe("from a file to a draft", () => {
  it("IMP-022 refuses an analyst, an unknown sheet and a request without either form", async () => {
    expect((await ana.call(importContract, { body: { sheet_id: crypto.randomUUID() } })).status).toBe(403);
    expect((await helena.call(importContract, { body: { sheet_id: crypto.randomUUID() } })).body.code).toBe(
      "not_found",
    );
    expect((await helena.call(importContract, { body: {} })).status).toBe(400);
    expect((await helena.call(importContract, { body: { sheet_id: "x" } })).status).toBe(400);
  });

  it("IMP-023 decision 16: rows come as a draft, the wrong ones marked with their reasons and their cells", async () => {
    const file = csvOf([
      tedHeadings,
      tedRow(),
      tedRow({ 1: "111.111.111-11", 9: "abc" }),
      tedRow({ 9: "2.500,75", 12: "Nota 7" }),
    ]);
    const uploaded = await upload(helena, file, "Folha de agosto.csv");
    const answer = await helena.call(importContract, { body: { sheet_id: uploaded.body.id } });
    expect(answer).toMatchObject({ status: 200, body: { state: "reading", batch_id: null } });
    await runImports(app);
    const sheet = await stateOf(uploaded.body.id);
    expect(sheet).toMatchObject({
      state: "imported",
      kind: "transfer",
      rows_read: 3,
      rows_total: 3,
      refusal: null,
    });
    expect(await batch(sheet.batch_id)).toMatchObject({
      name: "Folha de agosto",
      status: "DRAFT",
      type: "TRANSFER",
      was_imported: true,
      spreadsheet_file_name: "Folha de agosto.csv",
      created_by: { name: "Helena Prado" },
      value: 100_00 + 2_500_75,
      payments_count: 3,
      errors_count: 1,
    });
    const [first, second, third] = await transfersOf(helena, sheet.batch_id);
    expect(first).toMatchObject({
      value: 100_00,
      payment_method: "TED",
      errors: [],
      sheet_row: 2,
      sheet_cells: null,
    });
    expect(first?.destination_bank_account).toMatchObject({
      cpf_cnpj: "12ABC34501DE35",
      agency: "1234",
      account: "12345",
      account_digit: "1",
      account_type: "CONTA_CORRENTE",
      Bank: { code: "341" },
    });
    expect(second && codes(second)).toEqual(["tax_id_invalid", "value_invalid"]);
    expect(second).toMatchObject({ value: null, sheet_row: 3 });
    expect(Object.entries(second?.sheet_cells ?? {}).slice(0, 2)).toEqual([
      ["Nome ou Razão Social", "Padaria Três Irmãos Ltda"],
      ["CPF ou CNPJ", "111.111.111-11"],
    ]);
    expect(Object.keys(second?.sheet_cells ?? {})).toEqual(tedHeadings);
    expect(third).toMatchObject({ value: 2_500_75, pix_description: "Nota 7", sheet_row: 4 });
  });

  it("asked twice, and once more after the end, it makes one batch", async () => {
    const id = await started(csvOf([pixHeadings, pixRow(), pixRow()]));
    expect((await helena.call(importContract, { body: { sheet_id: id } })).body.state).toBe("reading");
    expect(app.enqueued.filter((job) => job.queue === "import-sheet")).toHaveLength(1);
    await runImports(app);
    expect((await helena.call(importContract, { body: { sheet_id: id } })).body).toMatchObject({
      state: "imported",
    });
    await importSheet(app.parts, { companyId, sheetId: id });
    expect(await batchesOf(id)).toMatchObject([{ payments_count: 2 }]);
  });

  it("a job that runs again after a kill makes one batch, and so do two workers at once", async () => {
    const id = await started(csvOf([pixHeadings, pixRow(), pixRow()]));
    app.enqueued.length = 0;
    await Promise.all([1, 2, 3].map(() => importSheet(app.parts, { companyId, sheetId: id })));
    await importSheet(app.parts, { companyId, sheetId: id });
    expect(await batchesOf(id)).toMatchObject([{ payments_count: 2 }]);
    expect(await stateOf(id)).toMatchObject({ state: "imported" });
  });

  it("IMP-005 cancelled before it is read, nothing is left and it is not read any more", async () => {
    const { body } = await upload(helena, csvOf([pixHeadings, pixRow()]));
    expect((await helena.call(cancelSheet, { params: { id: body.id } })).body.state).toBe("cancelled");
    expect((await helena.call(importContract, { body: { sheet_id: body.id } })).body.code).toBe(
      "sheet_cancelled",
    );
    await importSheet(app.parts, { companyId, sheetId: body.id });
    expect(await batchesOf(body.id)).toEqual([]);
  });

  it("BAT-052 is just imported until somebody saves it, and cancelling the import removes the whole batch", async () => {
    const { batchId } = await draftOfFile(app, helena, csvOf([pixHeadings, pixRow()]));
    expect((await batch(batchId)).was_imported).toBe(true);
    const body = { name: "Conferida", transfers: [], removed_ids: [] };
    const saved = await helena.call(saveBatch, { params: { id: batchId }, body });
    expect(saved.body.was_imported).toBe(false);
    expect((await batch(batchId)).was_imported).toBe(false);

    const { batchId: dropped } = await draftOfFile(app, helena, csvOf([pixHeadings, pixRow()]));
    await helena.call(deleteBatch, { params: { id: dropped } });
    expect((await helena.call(readBatch, { params: { id: dropped } })).status).toBe(404);
  });

  it("IMP-006 cancelled while it is read, nothing is left", async () => {
    const rows = Array.from({ length: 60_000 }, (_, n) => pixRow({ 3: `pessoa${n}@exemplo.com.br` }));
    const id = await started(csvOf([pixHeadings, ...rows]));
    app.enqueued.length = 0;
    const running = importSheet(app.parts, { companyId, sheetId: id });
    await expect
      .poll(async () => (await stateOf(id)).rows_read, { interval: 10, timeout: 50_000 })
      .toBeGreaterThan(0);
    expect((await helena.call(cancelSheet, { params: { id } })).body.state).toBe("cancelled");
    await running;
    expect(await batchesOf(id)).toEqual([]);
    expect(await stateOf(id)).toMatchObject({ state: "cancelled", batch_id: null });
  });

  it("IMP-006 cancelled after the end, the draft stays", async () => {
    const { sheet, batchId } = await draftOfFile(app, helena, csvOf([pixHeadings, pixRow()]));
    expect((await helena.call(cancelSheet, { params: { id: sheet.id } })).body).toMatchObject({
      state: "imported",
      batch_id: batchId,
    });
    expect((await batch(batchId)).status).toBe("DRAFT");
  });

  it("IMP-025 a file that is gone ends in a refusal, not in an import that never ends", async () => {
    const id = await started(csvOf([pixHeadings, pixRow()]));
    await app.parts.files.remove(`sheets/${companyId}/${id}`);
    await runImports(app);
    expect(await stateOf(id)).toMatchObject({
      state: "refused",
      refusal: {
        code: "sheet_import_failed",
        message: expect.stringMatching(/^Ocorreu um erro ao importar sua planilha/),
      },
    });
  });

  it("another company neither sees the sheet nor the draft", async () => {
    const { sheet, batchId } = await draftOfFile(app, helena, csvOf([pixHeadings, pixRow()]));
    expect((await marcos.call(readSheet, { params: { id: sheet.id } })).status).toBe(404);
    expect((await marcos.call(readBatch, { params: { id: batchId } })).status).toBe(404);
    expect((await marcos.call(listIssueGroups, { params: { id: batchId } })).status).toBe(404);
    expect((await marcos.call(downloadBadRows, { params: { id: batchId } })).status).toBe(404);
  });
});

describe("refusals of the whole file", () => {
  it.each([
    ["IMP-014", csvOf([pixHeadings]), "a.csv", "sheet_without_items", "A planilha não contém nenhum item"],
    [
      "IMP-010",
      Buffer.from("bom dia\ntudo bem"),
      "a.csv",
      "sheet_wrong_format",
      "Seu arquivo está fora do modelo.",
    ],
    [
      "IMP-011",
      csvOf([["Nome", "CPF", "Valor"]]),
      "a.csv",
      "sheet_wrong_headings",
      "Faltam as colunas: Banco",
    ],
    ["an old Excel", Buffer.from("d0cf11e0a1b11ae1", "hex"), "a.xlsx", "sheet_old_excel", "Salve como .xlsx"],
    [
      "a zip named csv",
      inlineWorkbook([pixHeadings, pixRow()]),
      "a.csv",
      "sheet_wrong_format",
      "fora do modelo",
    ],
    ["a zip bomb", bomb, "a.xlsx", "sheet_unsafe", "não é seguro"],
  ])("%s: the sheet is refused in words, and nothing is stored", async (_, content, name, code, words) => {
    const sheet = await importFile(app, helena, content, name);
    expect(sheet).toMatchObject({
      state: "refused",
      batch_id: null,
      refusal: { code, message: expect.stringContaining(words) },
    });
    expect(await batchesOf(sheet.id)).toEqual([]);
  });

  it("S5 a refused file leaves the process and its connections as they were", async () => {
    const bombs = await Promise.all([1, 2].map(() => started(bomb, "a.xlsx")));
    await runImports(app);
    for (const id of bombs) expect((await stateOf(id)).state).toBe("refused");
    expect(
      (await helena.call(listBatches, { query: { initialDate: "2026-08-01", endDate: "2026-08-31" } }))
        .status,
    ).toBe(200);
  });
});

/** 90 MB of blanks in 90 kB, under a size that is a lie. */
function makeBomb(): Buffer {
  const parts = workbookParts({ sheets: [{ xml: worksheet(inlineRow(1, pixHeadings)) }] });
  return buildZip(
    parts.map((part) =>
      part.name.endsWith("sheet1.xml")
        ? { ...part, content: Buffer.alloc(90 * 1024 * 1024, 0x20), claimedBytes: 1_000 }
        : part,
    ),
  );
}

const rareSigns = (count: number) =>
  Array.from({ length: count }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000))).join("");

describe("what is in the cells", () => {
  const one = async (row: string[], headings = tedHeadings) => {
    const { transfers } = await draftOfFile(app, helena, csvOf([headings, row]));
    const [transfer] = transfers;
    if (!transfer) throw new Error("no payment");
    return transfer;
  };

  const complaints: [string, Record<number, string>, string[]][] = [
    ["a negative amount", { 9: "-5,00" }, ["value_invalid"]],
    ["a negative amount in brackets", { 9: "(5,00)" }, ["value_invalid"]],
    ["three decimals", { 9: "10,505" }, ["value_invalid"]],
    ["nothing", { 9: "0,00" }, ["value_invalid"]],
    ["an amount over the limit", { 9: "10.000.000,01" }, ["value_above_max"]],
    ["an amount no column holds", { 9: "90.071.992.547.409,91" }, ["value_above_max"]],
    ["a blocked document", { 1: "731.905.284-97" }, ["tax_id_blocked"]],
    ["a day that has passed", { 11: "11/08/2026" }, ["payment_date_expired"]],
    ["a day that does not exist", { 11: "31/02/2027" }, ["payment_date_invalid"]],
    ["an unknown bank", { 3: "Banco da Praça" }, ["bank_missing"]],
    ["the word Brasil as bank (IMP-019)", { 3: "Brasil" }, ["bank_missing"]],
    ["no account type that is known (IMP-020)", { 8: "investimento" }, ["account_type_invalid"]],
    ["a description of 141 letters (IMP-015)", { 12: "x".repeat(141) }, ["pix_description_too_long"]],
    // Three bytes each and none like another, so that nothing can be pressed: no row of an index may be as long.
    ["an id of a thousand rare signs", { 10: rareSigns(1_000) }, ["integration_id_too_long"]],
    ["a script in the description", { 12: "<script>alert(1)</script>" }, ["pix_description_unsafe"]],
  ];
  let complained: Transfer[] = [];
  beforeAll(async () => {
    const rows = complaints.map(([, changes]) => tedRow(changes));
    complained = (await draftOfFile(app, helena, csvOf([tedHeadings, ...rows]))).transfers;
  });

  it.each(complaints.map(([what, , expected], row) => [what, row, expected] as const))(
    "decision 16: %s is a complaint beside its field",
    (_, row, expected) => {
      const transfer = complained[row];
      expect(transfer && codes(transfer)).toEqual(expected);
      expect(transfer?.sheet_cells).not.toBeNull();
    },
  );

  it("many amounts that no column holds still make a draft", async () => {
    const row = tedRow({ 9: "90.071.992.547.409,91" });
    const { batchId } = await draftOfFile(app, helena, csvOf([tedHeadings, row, row, row]));
    expect(await batch(batchId)).toMatchObject({ payments_count: 3, errors_count: 3, value: 0 });
  });

  it("IMP-016 IMP-017 IMP-018 cleans and cuts what it takes", async () => {
    const transfer = await one(
      tedRow({ 0: `<b>João</b> &amp; Filhos ${"a".repeat(300)}`, 9: " R$ 1.234,56 ", 8: "CONTA POUPANÇA" }),
    );
    expect(transfer.destination_bank_account.name).toHaveLength(255);
    expect(transfer.destination_bank_account.name?.startsWith("João & Filhos a")).toBe(true);
    expect(transfer.value).toBe(1_234_56);
    expect(transfer.destination_bank_account.account_type).toBe("CONTA_POUPANCA");
  });

  it("S6 a formula as a name is a text, and stays one", async () => {
    const transfer = await one(tedRow({ 0: '=HYPERLINK("http://x","y")+cmd' }));
    expect(transfer.destination_bank_account.name).toBe('=HYPERLINK("http://x","y")+cmd');
  });

  it("two rows with the same integration id both come, and the draft says so without blocking", async () => {
    const { batchId, transfers } = await draftOfFile(
      app,
      helena,
      csvOf([pixHeadings, pixRow({ 7: "A1" }), pixRow({ 7: "A1" })]),
    );
    expect(transfers.map(codes)).toEqual([[], []]);
    expect((await helena.get(`/api/payments/batch/${batchId}/transfer/validate`)).body).toMatchObject({
      hasDuplicatedIntegrationId: true,
      errors_count: 0,
    });
  });

  it("signs that JSON and PostgreSQL cannot hold do not stop the file", async () => {
    const name = `Ana \\u0000 \\ \t "Lima" &#0; \u2028 ${String.fromCodePoint(0x1f600)}`;
    const xml = worksheet(
      inlineRow(1, pixHeadings) +
        inlineRow(2, pixRow({ 0: "NAME", 4: "x" })).replace("NAME", "Ana &#xD800; &#0; \\u0000 Lima"),
    );
    for (const file of [
      inlineWorkbook([pixHeadings, pixRow({ 0: name, 4: "x" })]),
      buildWorkbook({ sheets: [{ xml }] }),
    ]) {
      const sheet = await importFile(app, helena, file, "a.xlsx");
      expect(sheet.refusal ?? sheet.state).toBe("imported");
    }
  });

  it("headings of every object, twice or empty lose no cell", async () => {
    const headings = [...pixHeadings, "__proto__", "Observação", "Observação", "", "constructor"];
    const { transfers } = await draftOfFile(
      app,
      helena,
      csvOf([headings, [...pixRow({ 4: "x" }), "p", "um", "dois", "três", "c"]]),
    );
    expect(transfers[0]?.sheet_cells).toMatchObject({ Observação: "um", constructor: "c" });
    expect(Object.values(transfers[0]?.sheet_cells ?? {})).toEqual(
      expect.arrayContaining(["um", "dois", "três"]),
    );
  });
});

describe("files as people make them", () => {
  it("finds the table below instructions, on the second tab, with numbers as text and lost zeros", async () => {
    const file = buildWorkbook({
      sheets: [
        { name: "Leia-me", xml: worksheet(inlineRow(1, ["Preencha a segunda aba"])) },
        {
          name: "Folha",
          xml: worksheet(
            inlineRow(1, ["FOLHA DE PAGAMENTO"]) +
              inlineRow(2, ["Atenção: não mude os nomes"]) +
              inlineRow(4, tedHeadings) +
              `<row r="5"><c r="A5" t="inlineStr"><is><t>Ana Lima Souza</t></is></c><c r="B5"><v>1234567890</v></c><c r="D5"><v>1</v></c><c r="E5"><v>12</v></c><c r="G5"><v>12345</v></c><c r="H5"><v>8</v></c><c r="I5" t="inlineStr"><is><t>corrente</t></is></c><c r="J5"><v>19.990000000000002</v></c></row>`,
          ),
        },
      ],
    });
    const { transfers } = await draftOfFile(app, helena, file, "folha.XLSX");
    expect(transfers).toHaveLength(1);
    expect(transfers[0]).toMatchObject({
      sheet_row: 5,
      value: 19_99,
      destination_bank_account: {
        name: "Ana Lima Souza",
        cpf_cnpj: "01234567890",
        agency: "0012",
        Bank: { code: "001" },
      },
    });
  });

  it("reads a windows-1252 CSV with commas and quotes", async () => {
    const text = `Nome,Tipo de chave Pix,Chave Pix,Valor\r\n"João, o ""Pão""",E-mail,joao@exemplo.com.br,"1.000,00"\r\n`;
    const { transfers } = await draftOfFile(app, helena, Buffer.from(text, "latin1"), "pix.csv");
    expect(transfers[0]).toMatchObject({
      value: 1_000_00,
      payment_method: "PIX",
      destination_bank_account: { name: 'João, o "Pão"', pix_key: "joao@exemplo.com.br" },
    });
  });
});

describe("items instead of a file", () => {
  const item = (n: number) => ({
    value: 10_00 + n,
    destination_bank_account: { pix_key_type: "EMAIL", pix_key: `p${n}@exemplo.com.br` },
  });

  it("decision 16: a list makes the same draft, its wrong items marked", async () => {
    const items = [
      ...Array.from({ length: 700 }, (_, n) => item(n)),
      { value: null, destination_bank_account: {} },
    ];
    const { body } = await helena.call(importContract, { body: { name: "Da API", items } });
    expect(body).toMatchObject({ state: "imported", rows_read: 701, kind: null });
    const sum = items.reduce((total, { value }) => total + (value ?? 0), 0);
    expect(await batch(body.batch_id)).toMatchObject({
      name: "Da API",
      payments_count: 701,
      errors_count: 1,
      value: sum,
    });
    const order = (await transfersOf(helena, body.batch_id, 10)).map((transfer) => transfer.value);
    expect(order[0]).toBe(10_00 + 500);
  });

  it("with an id, a request repeated after a lost answer makes one draft", async () => {
    const request = { id: crypto.randomUUID(), name: "Da API", items: [item(1)] };
    const first = await helena.call(importContract, { body: request });
    const again = await helena.call(importContract, { body: request });
    expect(again.body).toEqual(first.body);
    expect(await batch(request.id)).toMatchObject({ payments_count: 1, value: 10_01 });
  });

  it("refuses an empty list, and amounts that are no whole centavos", async () => {
    for (const items of [
      [],
      [{ ...item(1), value: 10.5 }],
      [{ ...item(1), value: -1 }],
      [{ ...item(1), value: "10" }],
    ]) {
      expect((await helena.call(importContract, { body: { name: "x", items } })).status).toBe(400);
    }
  });
});

it("IMP-023 the sheet of a batch that was deleted names none, so that its address opens nothing", async () => {
  const { sheet, batchId } = await draftOfFile(app, helena, csvOf([tedHeadings, tedRow()]));
  expect((await helena.call(deleteBatch, { params: { id: batchId } })).status).toBe(200);
  const after = await helena.call(readSheet, { params: { id: sheet.id } });
  expect(after.body).toMatchObject({ state: "imported", batch_id: null });
});

it("marks a document whose lost zeros the reading put back", async () => {
  const rows = [tedRow({ 1: "1234567890" }), tedRow({ 1: "012.345.678-90" })];
  const { transfers } = await draftOfFile(app, helena, csvOf([tedHeadings, ...rows]));
  expect(transfers[0]?.data_marks).toEqual([
    {
      field: "cpf_cnpj",
      origin: "guessed",
      before: "1234567890",
      after: "01234567890",
      by: null,
      at: expect.any(String),
    },
  ]);
  expect(transfers[1]?.data_marks).toEqual([]);
});

describe("columns by a person's word", () => {
  const read = (sheet_id: string, columns?: object[], person = helena) =>
    person.call(importContract, { body: { sheet_id, ...(columns && { columns }) } });
  const dates = csvOf([
    ["Chave Pix", "Valor", "Data", "Vencimento", "Pagar em"],
    ["ana@exemplo.com.br", "10,00", "20/08/2026", "30/08/2026", "25/08/2026"],
  ]);

  it("three columns of dates are asked about; the answer is read, and remembered for the company alone", async () => {
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
    expect((await transfersOf(helena, done.batch_id))[0]?.payment_date).toBe("2026-08-30");

    const again = await draftOfFile(app, helena, dates, "de novo.csv");
    expect(again.transfers[0]?.payment_date).toBe("2026-08-30");
    const stranger = await importFile(app, marcos, dates, "outra empresa.csv");
    expect(stranger.state).toBe("refused");
  });

  it("a draft as its sheet made it gives way to the sheet read otherwise; one that was changed stays", async () => {
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
    const [transfer] = await transfersOf(helena, second.batch_id);
    expect(transfer).toMatchObject({ pix_description: "NF 77", payment_date: "2026-08-30" });
    await helena.call(saveBatch, { params: { id: second.batch_id }, body: { name: "Guardado" } });
    expect(await read(first.sheet.id, [{ column: 3, field: null }])).toMatchObject({
      status: 409,
      body: { code: "sheet_already_used" },
    });
    expect((await batch(second.batch_id)).name).toBe("Guardado");
  });

  it("IMP-015 IMP-026 names what is wrong in a sheet, and compares its total", async () => {
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

  it("IMP-026 names the document of a payment by key as what is wrong, and no account, as the file of bad rows does", async () => {
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

  it("takes an amount alone under the payments that make it for their sum, and any other for a payment", async () => {
    const rows = [pixHeadings, pixRow({ 4: "10,50" }), pixRow({ 4: "20,00" })];
    const alone = (amount: string) => ["", "", "", "", amount, "", "", ""];
    const summed = await importFile(app, helena, csvOf([...rows, alone("30,50")]), "soma.csv");
    expect(summed.total).toEqual({ sheet_row: 4, stated: 30_50, sum: 30_50 });
    expect(await batch(summed.batch_id ?? "")).toMatchObject({
      payments_count: 2,
      errors_count: 0,
      value: 30_50,
    });
    // One centavo beside it, it may be a payment whose other cells are missing, and a person has to look.
    const other = await importFile(app, helena, csvOf([...rows, alone("30,51")]), "outra.csv");
    expect(other.total).toBeNull();
    expect(await batch(other.batch_id ?? "")).toMatchObject({ payments_count: 3, errors_count: 1 });
    // Under one payment alone it may be its second half.
    const twice = await importFile(
      app,
      helena,
      csvOf([pixHeadings, pixRow({ 4: "10,50" }), alone("10,50")]),
      "duas.csv",
    );
    expect(await batch(twice.batch_id ?? "")).toMatchObject({ payments_count: 2, errors_count: 1 });
  });

  it("the bad rows of a sheet read by a person's word come back in its own columns", async () => {
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
    // Under the same headings, with the reasons beside them, nobody is asked again.
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

describe("correcting a draft", () => {
  const groups = async (batchId: string) =>
    (await helena.call(listIssueGroups, { params: { id: batchId } })).body;
  const fix = (batchId: string, body: object, person = helena) =>
    person.call(fixIssueGroup, { params: { id: batchId }, body });
  /** The one of every `tedRow`. */
  const receiver = "12ABC34501DE35";

  it("groups equal mistakes and corrects the equal ones together", async () => {
    const rows = [
      ...Array.from({ length: 37 }, () => tedRow({ 3: "Banco da Praça" })),
      tedRow({ 3: "Outro banco" }),
      tedRow({ 1: "" }),
      tedRow(),
    ];
    const { batchId } = await draftOfFile(app, helena, csvOf([tedHeadings, ...rows]));
    const { data, rows_count } = await groups(batchId);
    expect(rows_count).toBe(39);
    expect(
      data.map((group: { issue: { code: string }; given: string; receiver: string; count: number }) => [
        group.issue.code,
        group.given,
        group.receiver,
        group.count,
      ]),
    ).toEqual([
      ["bank_missing", "Banco da Praça", receiver, 37],
      ["bank_missing", "Outro banco", receiver, 1],
      ["tax_id_invalid", "", data[2].example.id, 1],
    ]);
    const body = {
      code: "bank_missing",
      field: "bank_id",
      given: "Banco da Praça",
      receiver,
      set: { bank_id: "60701190" },
    };
    expect((await fix(batchId, body, ana)).status).toBe(403);
    expect((await fix(batchId, body, marcos)).status).toBe(404);
    expect((await fix(batchId, body)).body).toEqual({ fixed: 37, still_wrong: 0 });
    expect(await batch(batchId)).toMatchObject({ errors_count: 2, payments_count: 40, value: 4_000_00 });
    expect((await fix(batchId, body)).body).toEqual({ fixed: 0, still_wrong: 0 });
  });

  it("keeps the sheet's own word in the mark of what was corrected together", async () => {
    const typeAt = tedHeadings.indexOf("Tipo de Conta (Corrente ou Poupança)");
    const row = () => tedRow({ [typeAt]: "Conta da loja" });
    const { batchId } = await draftOfFile(app, helena, csvOf([tedHeadings, row(), row()]));
    const [group] = (await groups(batchId)).data;
    expect(group).toMatchObject({ issue: { field: "account_type" }, given: "Conta da loja", count: 2 });
    const { issue, given, receiver: of } = group;
    await fix(batchId, {
      code: issue.code,
      field: issue.field,
      given,
      ...(of && { receiver: of }),
      set: { account_type: "CONTA_CORRENTE" },
    });
    for (const { data_marks: marks } of await transfersOf(helena, batchId))
      expect(marks).toMatchObject([
        { field: "account_type", before: "Conta da loja", after: "CONTA_CORRENTE", origin: "corrected" },
      ]);
  });

  it("takes each ticked row's own proposal, and marks what was proposed", async () => {
    // Itaú's digits are certain, so each wrong one comes with the right one.
    const rows = ["11111", "22222", "33333"].map((account) => tedRow({ 6: account, 7: "" }));
    const withDigits = rows.map((row, n) => row.map((text, column) => (column === 7 ? String(n) : text)));
    const { batchId, transfers } = await draftOfFile(app, helena, csvOf([tedHeadings, ...withDigits]));
    const proposals = transfers.map((transfer) => transfer.errors[0]?.suggestion?.["account_digit"]);
    const group = (await groups(batchId)).data[0];
    expect(group).toMatchObject({ issue: { code: "account_digit_invalid" }, given: null });
    const { code, field } = group.issue;
    expect(await fix(batchId, { code, field })).toMatchObject({
      status: 422,
      body: { code: "fix_needs_rows", message: "Marque os pagamentos que recebem o valor sugerido." },
    });
    const list = await helena.call(listIssueRows, { params: { id: batchId }, query: { code, field } });
    expect(list.body.count).toBe(group.count);
    const [left, ...ticked] = list.body.data.map(({ id }: { id: string }) => id);
    // An id that is not in the group changes nothing.
    const answer = await fix(batchId, { code, field, ids: [...ticked, randomUUID()] });
    expect(answer.body).toEqual({ fixed: group.count - 1, still_wrong: 0 });
    const after = await transfersOf(helena, batchId);
    for (const [n, proposal] of proposals.entries()) {
      if (proposal === undefined) continue;
      const isTicked = after[n]?.id !== left;
      expect(after[n]?.destination_bank_account.account_digit).toBe(isTicked ? proposal : String(n));
      expect(after[n]?.data_marks).toEqual(
        isTicked
          ? [
              {
                field: "account_digit",
                origin: "suggested",
                before: String(n),
                after: proposal,
                by: { id: expect.any(String), name: "Helena Prado" },
                at: expect.any(String),
              },
            ]
          : [],
      );
    }
  });

  it("a date that cannot be read never becomes today by correcting something else", async () => {
    const { batchId } = await draftOfFile(
      app,
      helena,
      csvOf([tedHeadings, tedRow({ 11: "32/13/2026", 3: "Banco da Praça" })]),
    );
    expect(
      (
        await fix(batchId, {
          code: "bank_missing",
          field: "bank_id",
          given: "Banco da Praça",
          receiver,
          set: { bank_id: "60701190" },
        })
      ).body,
    ).toEqual({
      fixed: 0,
      still_wrong: 1,
    });
    let [transfer] = await transfersOf(helena, batchId);
    expect(transfer && codes(transfer)).toEqual(["payment_date_invalid"]);
    expect((await groups(batchId)).data[0]).toMatchObject({ given: "32/13/2026" });
    await fix(batchId, {
      code: "payment_date_invalid",
      field: "payment_date",
      given: "32/13/2026",
      set: { payment_date: "amanhã" },
    });
    [transfer] = await transfersOf(helena, batchId);
    expect(transfer && codes(transfer)).toEqual(["payment_date_invalid"]);
    const corrected = await fix(batchId, {
      code: "payment_date_invalid",
      field: "payment_date",
      given: "32/13/2026",
      set: { payment_date: "2026-08-20" },
    });
    expect(corrected.body).toEqual({ fixed: 1, still_wrong: 0 });
    [transfer] = await transfersOf(helena, batchId);
    expect(transfer).toMatchObject({ payment_date: "2026-08-20", errors: [] });
  });

  it("refuses to set an amount that is none, in words", async () => {
    const { batchId } = await draftOfFile(app, helena, csvOf([tedHeadings, tedRow({ 9: "dez" })]));
    for (const value of ["-5,00", "abc", "90.071.992.547.409,91", "1,234"]) {
      const [group] = (await groups(batchId)).data;
      const { given, receiver } = group;
      const body = { code: group.issue.code, field: "value", given, receiver, set: { value } };
      expect(await fix(batchId, body)).toMatchObject({ status: 200, body: { fixed: 0, still_wrong: 1 } });
      expect(await batch(batchId)).toMatchObject({ value: 0, errors_count: 1 });
    }
  });

  it.each(["xlsx", "csv"] as const)(
    "decision 16: only the bad rows come as %s, repaired they import to the same payments",
    async (format) => {
      const odd = { 0: "=cmd|' /C calc'!A0 Ltda", 12: '\'-- nota; "aspas"' };
      const headings = [...tedHeadings, "Centro de custo"];
      const rows = [
        [...tedRow(), "boa"],
        [...tedRow({ ...odd, 3: "Banco da Praça", 9: "1234,5" }), "CC-1"],
        [...tedRow({ ...odd, 1: "01234567890", 3: "Banco da Praça", 11: "20/08/2026" }), "CC-2"],
      ];
      const { batchId } = await draftOfFile(app, helena, csvOf([headings, ...rows]), "folha.csv");
      const file = await badRows(batchId, format);
      const again = await draftOfFile(app, helena, file, `folha.${format}`);
      expect(again.transfers.map(codes)).toEqual([["bank_missing"], ["bank_missing"]]);
      expect(Object.keys(again.transfers[0]?.sheet_cells ?? {})).toEqual([...headings, "Motivo"]);
      expect(again.transfers[0]?.sheet_cells?.["Motivo"]).toBe("Conta bancária inválida (Informe o banco)");
      const correction = {
        code: "bank_missing",
        field: "bank_id",
        given: "Banco da Praça",
        set: { bank_id: "60701190" },
      };
      for (const id of [batchId, again.batchId])
        for (const to of [receiver, "01234567890"]) await fix(id, { ...correction, receiver: to });
      const plain = (list: Awaited<ReturnType<typeof transfersOf>>) =>
        list.map(
          ({
            id,
            batch_id,
            sheet_row,
            sheet_cells,
            destination_bank_account: { id: receiverId, ...to },
            ...rest
          }) => ({ ...rest, to }),
        );
      const original = (await transfersOf(helena, batchId)).slice(1);
      expect(plain(await transfersOf(helena, again.batchId))).toEqual(plain(original));
      expect(original.map((transfer) => transfer.errors)).toEqual([[], []]);
    },
  );

  it("the file of bad rows shows what was corrected since, and payments that were typed in the columns of the sheet", async () => {
    const { batchId, transfers } = await draftOfFile(
      app,
      helena,
      csvOf([pixHeadings, pixRow({ 3: "sem-arroba", 4: "x" }), pixRow({ 3: "outro-sem", 5: "32/13/2026" })]),
    );
    const [first] = transfers;
    await helena.call(changeTransfer, {
      params: { id: batchId, tid: first?.id ?? "" },
      body: {
        value: 77_10,
        destination_bank_account: { name: "Ana Lima", pix_key_type: "EMAIL", pix_key: "sem-arroba" },
      },
    });
    const typed = {
      value: 5_00,
      destination_bank_account: {
        name: "Bruno Reis",
        cpf_cnpj: "12ABC34501DE35",
        bank_id: "60701190",
        agency: "1234",
        account: "12345",
        account_digit: "",
        account_type: "CONTA_CORRENTE",
      },
    };
    await helena.post(`/api/payments/app/batch/${batchId}/transfer`, typed);
    const again = await draftOfFile(app, helena, await badRows(batchId, "csv"), "corrigir.csv");
    expect(
      again.transfers.map((transfer) => [transfer.value, transfer.payment_method, codes(transfer)]),
    ).toEqual([
      [77_10, "PIX", ["pix_key_email_invalid"]],
      [10_50, "PIX", ["pix_key_email_invalid", "payment_date_invalid"]],
      [5_00, "TED", ["account_digit_missing"]],
    ]);
    expect(again.transfers[2]?.destination_bank_account).toMatchObject({
      name: "Bruno Reis",
      cpf_cnpj: "12ABC34501DE35",
      bank_id: "60701190",
      agency: "1234",
      account: "12345",
      account_type: "CONTA_CORRENTE",
    });
  });
});
