/** A sheet of boletos becomes a draft of boletos. */
import { downloadBadRows } from "@malote/contracts/batch-issues";
import { listBatches, readBatch, validateBatch } from "@malote/contracts/batches";
import { changeBoleto, listBoletos } from "@malote/contracts/boletos";
import { readSheet } from "@malote/contracts/import";
import { listFailedTransferIds, removeTransfers } from "@malote/contracts/transfers";
import { boletoLine, formatBoletoLine } from "@malote/domain/boleto-code";
import { buildWorkbook, inlineRow, inlineWorkbook, worksheet } from "@malote/sheet-reader/testing-workbook";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoCompanies } from "../../adapters/sandbox/demo/seed.ts";
import { checkBooks } from "../../ledger/check-books.ts";
import type { Person, TestApp } from "../../testing/app.ts";
import { barcodeOf, fetchBoletos } from "../../testing/boletos.ts";
import {
  buildImportApp,
  csvOf,
  importFile,
  multipart,
  multipartType,
  runImports,
} from "../../testing/import-kit.ts";
import { modelHeadings } from "./sheet/model-sheets.ts";

let app: TestApp;
let helena: Person;
beforeAll(async () => {
  app = await buildImportApp();
  helena = await app.as("helena@aurora.example");
});
afterAll(async () => {
  expect(await checkBooks(app.services.db)).toEqual([]);
  await app.close();
});

const headings = modelHeadings("billet");
const path = "/api/payments/batch/billet/sheet";
const send = (by: string | undefined, content: Buffer, fileName = "Contas de agosto.csv") =>
  app.send("POST", path, multipart([{ name: "file", fileName, content }]), {
    ...(by && { token: by }),
    headers: multipartType,
  });

it("IMP-022 refuses callers without a session and analysts, and separates the sheets of companies", async () => {
  const file = csvOf([headings, [barcodeOf(10_00), "10,00", "", "Luz", ""]]);
  expect((await send(undefined, file)).status).toBe(401);
  const ana = await app.as("ana@aurora.example");
  expect((await send(ana.token, file)).status).toBe(403);
  const { body } = await send(helena.token, file);
  const marcos = await app.as("marcos@horizonte.example");
  expect((await marcos.call(readSheet, { params: { id: body.id } })).body.code).toBe("not_found");
});

it("IMP-011 IMP-012 IMP-022 IMP-023 IMP-026 BIL-017 makes a draft of boletos in one call, with reasons for the wrong rows", async () => {
  const [first, second] = [barcodeOf(150_00, "2026-09-10"), barcodeOf(null)];
  const rows = [
    [formatBoletoLine(first), "1,00", "", "Aluguel", "nota 7"],
    [boletoLine(second), "99,90", "20/08/2026", "Cartão da empresa", ""],
    ["826200000014234512341236456789012345567890123456", "", "", "Água", ""],
    [boletoLine(first).replace(/.$/, (last) => String((Number(last) + 1) % 10)), "150,00", "", "", ""],
    [barcodeOf(10_00, "2026-08-11"), "10,00", "", "Vencido", ""],
    [barcodeOf(11_00), "11,00", "31/02/2026", "Data que não há", ""],
    [first, "", "", "Repetido", ""],
  ];
  const { body } = await send(helena.token, inlineWorkbook([headings, ...rows]), "Contas de agosto.xlsx");
  expect(body).toMatchObject({ state: "reading", batch_id: null });
  await runImports(app);
  const sheet = (await helena.call(readSheet, { params: { id: body.id } })).body;
  expect(sheet).toMatchObject({ state: "imported", kind: "billet", rows_total: 7, refusal: null });

  const { body: batch } = await helena.call(readBatch, { params: { id: sheet.batch_id } });
  expect(batch).toMatchObject({
    type: "BILLET",
    name: "Contas de agosto",
    status: "DRAFT",
    payments_count: 7,
    errors_count: 4,
    value: 150_00 + 99_90 + 123_45 + 150_00 + 10_00 + 11_00 + 150_00,
    transfers: [],
  });
  // The card, the draft, its check and the sheet count the same rows, including one that only another row makes wrong.
  const listed = await helena.call(listBatches, {
    query: { initialDate: "2026-01-01", endDate: "2027-12-31" },
  });
  expect(listed.body.data.find(({ id }) => id === sheet.batch_id).errors_count).toBe(4);
  const check = await helena.call(validateBatch, { params: { id: sheet.batch_id } });
  expect(check.body.errors_count).toBe(4);
  expect(sheet.mistakes).toContainEqual({ text: "Este boleto já foi cadastrado.", count: 1 });
  const failed = await helena.call(listFailedTransferIds, { params: { id: sheet.batch_id } });
  expect(failed.body).toMatchObject({ value: 150_00 + 10_00 + 11_00 + 150_00 });
  expect(failed.body.ids).toHaveLength(4);

  const boletos = await fetchBoletos(helena, sheet.batch_id);
  expect(boletos.map(({ errors }) => errors.map(({ code }) => code))).toEqual([
    [],
    [],
    [],
    ["billet_code_invalid", "billet_description_missing"],
    ["billet_overdue"],
    ["payment_date_invalid"],
    ["billet_duplicated"],
  ]);
  expect(boletos[0]).toMatchObject({
    value: 150_00,
    due_date: "2026-09-10",
    description: "Aluguel",
    integration_id: "nota 7",
  });
  expect(boletos[1]).toMatchObject({ value: 99_90, payment_date: "2026-08-20" });

  const bad = await helena.get(
    `/api/payments${downloadBadRows.path.replace(":id", sheet.batch_id)}?format=csv`,
  );
  const lines = String(bad.body).trim().split("\r\n");
  expect(lines).toHaveLength(5);
  expect(lines[0]).toContain("Motivo");
  expect(lines[1]).toContain("A linha digitável do boleto está incorreta, insira novamente");
  expect(lines[3]).toContain("31/02/2026");
  expect(lines[4]).toContain("Repetido");

  // A row corrected on the screen is not in a new download of the wrong rows.
  await helena.call(changeBoleto, {
    params: { id: sheet.batch_id },
    body: { id: boletos[3]?.id ?? "", barcode: barcodeOf(150_00), value: null, description: "Internet" },
  });
  expect(
    (await helena.call(listBoletos, { params: { id: sheet.batch_id }, query: { status: "WITH_ERRORS" } }))
      .body.data,
  ).toHaveLength(3);
  const rest = await helena.get(
    `/api/payments${downloadBadRows.path.replace(":id", sheet.batch_id)}?format=csv`,
  );
  expect(String(rest.body).trim().split("\r\n")).toHaveLength(4);

  // 'Excluir falhas' removes the remaining ones, and the batch then counts none.
  const left = (await helena.call(listFailedTransferIds, { params: { id: sheet.batch_id } })).body.ids;
  const removed = await helena.call(removeTransfers, { params: { id: sheet.batch_id }, body: { ids: left } });
  expect(removed.body).toEqual({ removed: 3 });
  expect((await helena.call(readBatch, { params: { id: sheet.batch_id } })).body).toMatchObject({
    payments_count: 4,
    errors_count: 0,
  });
});

it("explains what to do about a cell with a formula's error, until it is filled in again", async () => {
  const heading = inlineRow(1, headings);
  const cells = inlineRow(2, [barcodeOf(10_00), "10,00"]).replace(
    "</row>",
    '<c r="D2" t="e"><v>#REF!</v></c></row>',
  );
  const sheet = await importFile(
    app,
    helena,
    buildWorkbook({ sheets: [{ xml: worksheet(heading + cells) }] }),
    "a.xlsx",
  );
  const id = sheet.batch_id ?? "";
  const [boleto] = await fetchBoletos(helena, id);
  expect(boleto?.errors.map(({ code, field }) => [code, field])).toContainEqual([
    "billet_cell_invalid",
    "description",
  ]);
  const body = { id: boleto?.id ?? "", barcode: barcodeOf(10_00), value: null, description: "Luz" };
  const { body: corrected } = await helena.call(changeBoleto, { params: { id }, body });
  expect(corrected.errors).toEqual([]);
  expect((await helena.call(readBatch, { params: { id } })).body.errors_count).toBe(0);
});

it("IMP-022 makes a draft of boletos for a program with its own credential", async () => {
  const { clientId, clientSecret } = demoCompanies[0]?.credential ?? {};
  const signedIn = await app.send("POST", "/api/login/authorize", {
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
  });
  const { status, body } = await send(
    signedIn.body.access_token,
    csvOf([headings, [barcodeOf(10_00), "10,00", "", "Luz", ""]]),
    "Do ERP.csv",
  );
  expect([status, body.state]).toEqual([200, "reading"]);
  await runImports(app);
  const sheet = (await helena.call(readSheet, { params: { id: body.id } })).body;
  expect(sheet).toMatchObject({ state: "imported", kind: "billet", file_name: "Do ERP.csv" });
  const { body: batch } = await helena.call(readBatch, { params: { id: sheet.batch_id } });
  expect(batch).toMatchObject({ type: "BILLET", name: "Do ERP", payments_count: 1, errors_count: 0 });
});

it("IMP-022 reads the same sheet if it is sent like transfers", async () => {
  const sheet = await importFile(
    app,
    helena,
    csvOf([headings, [barcodeOf(10_00), "10,00", "", "=HYPERLINK(1)", ""]]),
    "a.csv",
  );
  expect(sheet).toMatchObject({ state: "imported", kind: "billet" });
  const [boleto] = await fetchBoletos(helena, sheet.batch_id ?? "");
  expect(boleto).toMatchObject({ value: 10_00, errors: [] });
});
