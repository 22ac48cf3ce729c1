import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CellTexts } from "./cell-texts.ts";
import { type OpenOptions, openTabs } from "./open-tabs.ts";
import { cellKind, type SheetRow } from "./sheet-row.ts";
import {
  buildWorkbook,
  gather,
  inlineRow,
  inlineWorkbook,
  type WorkbookShape,
  worksheet,
} from "./testing-workbook.ts";

async function fetchRows(source: Buffer | string, options?: OpenOptions): Promise<SheetRow[]> {
  const [tab] = await openTabs(source, "xlsx", options);
  if (tab === undefined) throw new Error("no tab");
  return (await gather(tab())).flat();
}

const oneRow = (row: string, shape: Partial<WorkbookShape> = {}) =>
  buildWorkbook({
    strings: [
      "<t>Ana Lima</t>",
      "<r><t>ana@</t></r><r><rPr><b/></rPr><t>exemplo.com.br</t></r><rPh><t>x</t></rPh>",
    ],
    formats: ["dd/mm/yyyy", 14, '"R$" #,##0.00', "[h]:mm"],
    sheets: [{ xml: worksheet(row) }],
    ...shape,
  });

const everyKind =
  '<row r="7" hidden="1"><c r="A7" t="s"><v>0</v></c><c r="C7" s="3" t="s"><v>1</v></c>' +
  '<c r="D7" s="3"><f>B1*2</f><v>1234.5600000001</v></c><c r="E7" s="1"><v>46346</v></c>' +
  '<c r="F7" t="str"><f>"a"</f><v>nota &amp; fiscal</v></c><c r="G7" t="b"><v>1</v></c><c r="H7" t="b"><v>0</v></c>' +
  '<c r="I7" t="e"><v>#REF!</v></c><c r="J7"><f>A1</f></c><c r="K7" t="d"><v>2026-11-20T00:00:00</v></c>' +
  '<c r="L7" s="4"><v>0.5</v></c></row>';

it("refuses a file that is not a workbook", async () => {
  const container = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(512)]);
  const wrapped = Buffer.concat([container, Buffer.from("EncryptedPackage", "utf16le")]);
  for (const [bytes, code] of [
    [Buffer.alloc(0), "empty"],
    [Buffer.from("\x89PNG\r\n"), "wrong_format"],
    [container, "old_excel"],
    [wrapped, "encrypted"],
  ] as const)
    await expect(openTabs(bytes, "xlsx")).rejects.toMatchObject({ code });
});

describe("files of real programs", () => {
  it("read shared and rich strings, numbers, dates, formulas, booleans and errors of Excel", async () => {
    const [row] = await fetchRows(oneRow(everyKind));
    expect(row).toMatchObject({ sheetRow: 7, hidden: true });
    expect(row?.texts).toEqual([
      ...["Ana Lima", "", "ana@exemplo.com.br", "1234.5600000001", "2026-11-20", "nota & fiscal"],
      ...["TRUE", "FALSE", "#REF!", "#NO RESULT", "2026-11-20", "0.5"],
    ]);
    const { text, number, date, boolean, error } = cellKind;
    expect(row?.texts.map((_, column) => row.kinds[column] ?? text)).toEqual([
      ...[text, text, text, number, date, text],
      ...[boolean, boolean, error, error, date, number],
    ]);
  });

  it("show dates, booleans and missing results with the caller's texts", async () => {
    const cellTexts: CellTexts = {
      yes: "sim",
      no: "não",
      noResult: "?",
      date: (year, month, day) => `${day}.${month}.${year}`,
    };
    const [row] = await fetchRows(oneRow(everyKind), { cellTexts });
    expect([4, 6, 7, 9, 10].map((column) => row?.texts[column])).toEqual([
      "20.11.2026",
      "sim",
      "não",
      "?",
      "20.11.2026",
    ]);
  });

  it("count days from 1904 when the workbook does", async () => {
    const cells = '<row r="1"><c r="A1" s="1"><v>44884.5</v></c></row>';
    expect((await fetchRows(oneRow(cells, { date1904: true })))[0]?.texts).toEqual(["2026-11-20"]);
  });

  it("read numbers with a date's format that are not days as numbers", async () => {
    const cells =
      '<row r="1"><c r="A1" s="1"><v>60</v></c><c r="B1" s="1"><v>61</v></c><c r="C1" s="1"><v>3000000</v></c></row>';
    expect((await fetchRows(oneRow(cells)))[0]?.texts).toEqual(["60", "1900-03-01", "3000000"]);
  });

  it("read prefixed names, rows and cells without references, single quotes, CDATA and comments", async () => {
    const cell = (text: string) => `<x:c t='inlineStr'><x:is><x:t>${text}</x:t></x:is></x:c>`;
    const xml = `<?xml version="1.0"?><!-- a > b --><x:worksheet xmlns:x='urn:x'><x:sheetData><x:row>${["a", "b"].map(cell).join("")}</x:row><x:row/><x:row>${["<![CDATA[Ana & <b>]]>", "2,00"].map(cell).join("<!-- x -->")}</x:row></x:sheetData></x:worksheet>`;
    const rows = await fetchRows(buildWorkbook({ sheets: [{ xml }] }));
    expect(rows.map(({ sheetRow, texts }) => [sheetRow, ...texts])).toEqual([
      [1, "a", "b"],
      [3, "Ana & <b>", "2,00"],
    ]);
  });

  it("read sparse cells, cells out of order and blank styled ones", async () => {
    const rows = await fetchRows(
      oneRow(
        '<row r="2" spans="1:7"><c r="A2" s="2"/><c r="D2"><v>1.5</v></c><c r="C2" t="inlineStr"><is><t xml:space="preserve"> a@b.com </t></is></c></row><row r="3"><c r="A3" s="1"/></row>',
      ),
    );
    expect(rows.map(({ sheetRow, texts }) => [sheetRow, ...texts])).toEqual([
      [2, "", "", " a@b.com ", "1.5"],
    ]);
  });

  it("read the same rows whatever the size of the pieces", async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => [
      `Pessoa ${index} ${"ã".repeat(index % 97)}`,
      `p${index}@exemplo.com`,
      `nota ${"x".repeat(index % 89)}`,
    ]);
    expect((await fetchRows(inlineWorkbook(rows))).map(({ texts }) => texts)).toEqual(rows);
  });
});

it("can be opened by their path, with their visible tabs in order", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sheet-reader-"));
  try {
    const path = join(folder, "a.xlsx");
    const tab = (text: string, state?: string) => ({
      xml: worksheet(inlineRow(1, [text])),
      ...(state ? { state } : {}),
    });
    writeFileSync(path, buildWorkbook({ sheets: [tab("one"), tab("two", "hidden"), tab("three")] }));
    const tabs = await openTabs(path, "xlsx");
    const rows = await Promise.all(tabs.map((open) => gather(open())));
    expect(rows.flat(2).map(({ texts }) => texts)).toEqual([["one"], ["three"]]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
