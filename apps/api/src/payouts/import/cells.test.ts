/** Payments that the cells of an imported sheet become. */
import { readBatch } from "@malote/contracts/batches";
import type { Transfer } from "@malote/contracts/transfers";
import { buildWorkbook, inlineRow, inlineWorkbook, worksheet } from "@malote/sheet-reader/testing-workbook";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  tedHeadings,
  tedRow,
} from "../../testing/import-kit.ts";
import { setCompany } from "../../testing/operator-kit.ts";
import { auroraId } from "../../testing/payments-kit.ts";

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
const batch = async (id: string) => (await helena.call(readBatch, { params: { id } })).body;

const rareSigns = (count: number) =>
  Array.from({ length: count }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000))).join("");

describe("cells of a sheet", () => {
  const one = async (row: string[], headings = tedHeadings) => {
    const { transfers } = await draftOfFile(app, helena, csvOf([headings, row]));
    const [transfer] = transfers;
    if (!transfer) throw new Error("no payment");
    return transfer;
  };

  it.each([
    [true, ["public_entity_invalid"]],
    [false, []],
  ])(
    "TRF-034 a public entity at another bank than the Caixa if the company requires the Caixa: %s",
    async (needed, expected) => {
      await setCompany(app.services, auroraId, { publicEntityNeedsCaixa: needed });
      const entity = await one(tedRow({ 8: "Entidades públicas" }));
      await setCompany(app.services, auroraId, { publicEntityNeedsCaixa: true });
      expect(codes(entity)).toEqual(expected);
    },
  );

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
    // Three-byte characters without repetition, so that compression does not help: an index row cannot be this long.
    ["an id of a thousand rare signs", { 10: rareSigns(1_000) }, ["integration_id_too_long"]],
    ["a script in the description", { 12: "<script>alert(1)</script>" }, ["pix_description_unsafe"]],
  ];
  let complained: Transfer[] = [];
  beforeAll(async () => {
    const rows = complaints.map(([, changes]) => tedRow(changes));
    complained = (await draftOfFile(app, helena, csvOf([tedHeadings, ...rows]))).transfers;
  });

  it.each(complaints.map(([what, , expected], row) => [what, row, expected] as const))(
    "ruling D16: reports %s as an issue beside its field",
    (_, row, expected) => {
      const transfer = complained[row];
      expect(transfer && codes(transfer)).toEqual(expected);
      expect(transfer?.sheet_cells).not.toBeNull();
    },
  );

  it("makes a draft even of amounts above the maximum of a column", async () => {
    const row = tedRow({ 9: "90.071.992.547.409,91" });
    const { batchId } = await draftOfFile(app, helena, csvOf([tedHeadings, row, row, row]));
    expect(await batch(batchId)).toMatchObject({ payments_count: 3, errors_count: 3, value: 0 });
  });

  it("IMP-016 IMP-017 IMP-018 cleans and cuts imported texts", async () => {
    const transfer = await one(
      tedRow({ 0: `<b>João</b> &amp; Filhos ${"a".repeat(300)}`, 9: " R$ 1.234,56 ", 8: "CONTA POUPANÇA" }),
    );
    expect(transfer.destination_bank_account.name).toHaveLength(255);
    expect(transfer.destination_bank_account.name?.startsWith("João & Filhos a")).toBe(true);
    expect(transfer.value).toBe(1_234_56);
    expect(transfer.destination_bank_account.account_type).toBe("CONTA_POUPANCA");
  });

  it("S6 imports a formula in the column of names as text", async () => {
    const transfer = await one(tedRow({ 0: '=HYPERLINK("http://x","y")+cmd' }));
    expect(transfer.destination_bank_account.name).toBe('=HYPERLINK("http://x","y")+cmd');
  });

  it("imports both rows with the same integration id, and reports that in the draft without blocking", async () => {
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

  it("imports a file with characters that JSON and PostgreSQL cannot hold", async () => {
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

  it("loses no cell by headings named like properties of every object, repeated or empty", async () => {
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

describe("files of real people", () => {
  it("finds the table below instructions and on the second tab, with numbers as text and missing zeros", async () => {
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

it("marks a document whose missing zeros the reading restored", async () => {
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
