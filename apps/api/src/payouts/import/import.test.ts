import { downloadBadRows, listIssueGroups } from "@malote/contracts/batch-issues";
import { deleteBatch } from "@malote/contracts/batch-life";
import { listBatches, readBatch, saveBatch } from "@malote/contracts/batches";
import { cancelSheet, importSheet as importContract, readSheet } from "@malote/contracts/import";
import {
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
  fetchTransfers,
  importFile,
  pixHeadings,
  pixRow,
  runImports,
  tedHeadings,
  tedRow,
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
  expect(await checkBooks(app.services.db)).toEqual([]);
  await app.close();
});

const fetchBatches = async (sheetId: string) =>
  (
    await app.services.db.withCompany(companyId, (tx) =>
      sql<{ id: string; payments_count: number }>`
        SELECT id, payments_count FROM batches WHERE company_id = ${companyId} AND sheet_id = ${sheetId}`.execute(
        tx,
      ),
    )
  ).rows;

const fetchState = async (sheetId: string) =>
  (await helena.call(readSheet, { params: { id: sheetId } })).body;
const batch = async (id: string) => (await helena.call(readBatch, { params: { id } })).body;

async function started(content: Buffer, fileName?: string): Promise<string> {
  const { body } = await upload(helena, content, fileName);
  await helena.call(importContract, { body: { sheet_id: body.id } });
  return body.id;
}

describe("from a file to a draft", () => {
  it("IMP-022 refuses an analyst, an unknown sheet and a request with neither form", async () => {
    expect((await ana.call(importContract, { body: { sheet_id: crypto.randomUUID() } })).status).toBe(403);
    expect((await helena.call(importContract, { body: { sheet_id: crypto.randomUUID() } })).body.code).toBe(
      "not_found",
    );
    expect((await helena.call(importContract, { body: {} })).status).toBe(400);
    expect((await helena.call(importContract, { body: { sheet_id: "x" } })).status).toBe(400);
  });

  it("IMP-023 ruling D16: imports rows as a draft, and marks wrong ones with their reasons and their cells", async () => {
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
    const sheet = await fetchState(uploaded.body.id);
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
    const [first, second, third] = await fetchTransfers(helena, sheet.batch_id);
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

  it("makes one batch when it is requested twice, and again after the end", async () => {
    const id = await started(csvOf([pixHeadings, pixRow(), pixRow()]));
    expect((await helena.call(importContract, { body: { sheet_id: id } })).body.state).toBe("reading");
    expect(app.enqueued.filter((job) => job.queue === "import-sheet")).toHaveLength(1);
    await runImports(app);
    expect((await helena.call(importContract, { body: { sheet_id: id } })).body).toMatchObject({
      state: "imported",
    });
    await importSheet(app.services, { companyId, sheetId: id });
    expect(await fetchBatches(id)).toMatchObject([{ payments_count: 2 }]);
  });

  it("makes one batch when a job runs again after a kill, and when two workers run it concurrently", async () => {
    const id = await started(csvOf([pixHeadings, pixRow(), pixRow()]));
    app.enqueued.length = 0;
    await Promise.all([1, 2, 3].map(() => importSheet(app.services, { companyId, sheetId: id })));
    await importSheet(app.services, { companyId, sheetId: id });
    expect(await fetchBatches(id)).toMatchObject([{ payments_count: 2 }]);
    expect(await fetchState(id)).toMatchObject({ state: "imported" });
  });

  it("IMP-005 leaves nothing when it is cancelled before it is read, and does not read it later", async () => {
    const { body } = await upload(helena, csvOf([pixHeadings, pixRow()]));
    expect((await helena.call(cancelSheet, { params: { id: body.id } })).body.state).toBe("cancelled");
    expect((await helena.call(importContract, { body: { sheet_id: body.id } })).body.code).toBe(
      "sheet_cancelled",
    );
    await importSheet(app.services, { companyId, sheetId: body.id });
    expect(await fetchBatches(body.id)).toEqual([]);
  });

  it("BAT-052 counts as just imported until a person saves it, and cancelling the import removes the whole batch", async () => {
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

  it("IMP-006 leaves nothing when it is cancelled while it is read", async () => {
    const rows = Array.from({ length: 60_000 }, (_, n) => pixRow({ 3: `pessoa${n}@exemplo.com.br` }));
    const id = await started(csvOf([pixHeadings, ...rows]));
    app.enqueued.length = 0;
    const running = importSheet(app.services, { companyId, sheetId: id });
    await expect
      .poll(async () => (await fetchState(id)).rows_read, { interval: 10, timeout: 50_000 })
      .toBeGreaterThan(0);
    expect((await helena.call(cancelSheet, { params: { id } })).body.state).toBe("cancelled");
    await running;
    expect(await fetchBatches(id)).toEqual([]);
    expect(await fetchState(id)).toMatchObject({ state: "cancelled", batch_id: null });
  });

  it("IMP-006 keeps the draft when it is cancelled after the end", async () => {
    const { sheet, batchId } = await draftOfFile(app, helena, csvOf([pixHeadings, pixRow()]));
    expect((await helena.call(cancelSheet, { params: { id: sheet.id } })).body).toMatchObject({
      state: "imported",
      batch_id: batchId,
    });
    expect((await batch(batchId)).status).toBe("DRAFT");
  });

  it("IMP-025 ends in a refusal if the file is missing, not in an import that never ends", async () => {
    const id = await started(csvOf([pixHeadings, pixRow()]));
    await app.services.files.remove(`sheets/${companyId}/${id}`);
    await runImports(app);
    expect(await fetchState(id)).toMatchObject({
      state: "refused",
      refusal: {
        code: "sheet_import_failed",
        message:
          "Ocorreu um erro ao importar sua planilha, por favor, verifique os dados, caso o erro persistir, entre em contato.",
      },
    });
  });

  it("shows another company neither the sheet nor the draft", async () => {
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
      "Seu arquivo está fora do modelo. Mantenha sempre os mesmos nomes do cabeçalho.",
    ],
    [
      "IMP-011",
      csvOf([["Nome", "CPF", "Valor"]]),
      "a.csv",
      "sheet_wrong_headings",
      "Seu arquivo está fora do modelo. Mantenha sempre os mesmos nomes do cabeçalho. Faltam as colunas: Banco",
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
  ])("refuses the sheet with a sentence, and stores nothing: %s", async (_, content, name, code, words) => {
    const sheet = await importFile(app, helena, content, name);
    expect(sheet).toMatchObject({
      state: "refused",
      batch_id: null,
      refusal: { code, message: expect.stringContaining(words) },
    });
    expect(await fetchBatches(sheet.id)).toEqual([]);
  });

  it("S5 leaves the process and its connections unchanged after a refused file", async () => {
    const bombs = await Promise.all([1, 2].map(() => started(bomb, "a.xlsx")));
    await runImports(app);
    for (const id of bombs) expect((await fetchState(id)).state).toBe("refused");
    expect(
      (await helena.call(listBatches, { query: { initialDate: "2026-08-01", endDate: "2026-08-31" } }))
        .status,
    ).toBe(200);
  });
});

/** 90 MB of blanks compressed to 90 kB, with a false size in the header. */
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

describe("items instead of a file", () => {
  const item = (n: number) => ({
    value: 10_00 + n,
    destination_bank_account: { pix_key_type: "EMAIL", pix_key: `p${n}@exemplo.com.br` },
  });

  it("ruling D16: makes the same draft of a list, with its wrong items marked", async () => {
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
    const order = (await fetchTransfers(helena, body.batch_id, 10)).map((transfer) => transfer.value);
    expect(order[0]).toBe(10_00 + 500);
  });

  it("makes one draft of a request with an id that is repeated after a lost answer", async () => {
    const request = { id: crypto.randomUUID(), name: "Da API", items: [item(1)] };
    const first = await helena.call(importContract, { body: request });
    const again = await helena.call(importContract, { body: request });
    expect(again.body).toEqual(first.body);
    expect(await batch(request.id)).toMatchObject({ payments_count: 1, value: 10_01 });
  });

  it("refuses an empty list, and amounts that are not whole centavos", async () => {
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

it("IMP-023 returns no batch for the sheet of a deleted one, so that its address opens nothing", async () => {
  const { sheet, batchId } = await draftOfFile(app, helena, csvOf([tedHeadings, tedRow()]));
  expect((await helena.call(deleteBatch, { params: { id: batchId } })).status).toBe(200);
  const after = await helena.call(readSheet, { params: { id: sheet.id } });
  expect(after.body).toMatchObject({ state: "imported", batch_id: null });
});
