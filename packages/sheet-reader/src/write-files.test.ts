import { buffer } from "node:stream/consumers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { removeFormulaGuard } from "./formula-guard.ts";
import { openTabs } from "./open-tabs.ts";
import { cellKind, type SheetRow } from "./sheet-row.ts";
import { gather } from "./testing-workbook.ts";
import { csvLines, writeCsvFile } from "./write-csv.ts";
import { textPieces, textStyle, writeXlsxFile, xlsxPieces } from "./write-xlsx.ts";

const formulas = ["=1+1", "+1", "-5", "\u200b@x", "Fulano,=1+1", 'x,"=HYPERLINK(1)', "x\t=1+1"];
const harmless = ["Ana", "001", 'a "b"; c', "linha 1\nlinha 2"];

async function read(bytes: Buffer, format: "xlsx" | "csv"): Promise<SheetRow[]> {
  const [tab] = await openTabs(bytes, format);
  if (tab === undefined) throw new Error("no tab");
  return (await gather(tab())).flat();
}

afterEach(() => void vi.useRealTimers());

describe("a CSV file", () => {
  it("contains nothing that any program calculates", () => {
    expect(csvLines([formulas])).toBe(
      `"'=1+1";"'+1";"'-5";"'\u200b@x";"Fulano,'=1+1";"x,'""=HYPERLINK(1)";"x\t'=1+1"\r\n`,
    );
  });

  it("restores every text", async () => {
    const [row] = await read(writeCsvFile([[...formulas, ...harmless]]), "csv");
    expect(row?.texts.map(removeFormulaGuard)).toEqual([...formulas, ...harmless]);
  });

  it("keeps the program's own values unchanged", () => {
    expect(csvLines([["id", { plain: "-1,50" }]])).toBe('"id";-1,50\r\n');
  });
});

describe("a workbook", () => {
  it("is the same file each time it is written", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-20T12:00:00Z") });
    const sheets = () => [{ name: "a", columns: [{ width: 9, style: textStyle }], rows: [["x"]] }];
    const today = await writeXlsxFile(sheets());
    vi.setSystemTime(Date.parse("2027-02-01T12:00:00Z"));
    expect((await writeXlsxFile(sheets())).equals(today)).toBe(true);
  });

  it("keeps numbers numbers and makes texts harmless", async () => {
    async function* rows() {
      yield ["=1+1", { cents: 150 }] as const;
    }
    const columns = [
      { title: "Text", width: 9, style: textStyle },
      { title: "Amount", width: 9, style: { numFmt: "#,##0.00" } },
    ];
    const pieces = xlsxPieces("a", columns, rows(), (cell) =>
      typeof cell === "string" ? cell : cell.cents / 100,
    );
    const [headings, row] = await read(await buffer(pieces), "xlsx");
    expect(headings?.texts).toEqual(["Text", "Amount"]);
    expect(row?.texts).toEqual(["'=1+1", "1.5"]);
    expect(row?.kinds[1]).toBe(cellKind.number);
  });

  it("keeps texts unchanged when the caller guards them", async () => {
    const table = Array.from({ length: 1_200 }, (_, index) => [`=${index}`, "001"]);
    const rows = await read(await buffer(textPieces("a", 9, table)), "xlsx");
    expect(rows.map(({ texts }) => texts)).toEqual(table);
    expect(rows.every(({ kinds }) => kinds.length === 0)).toBe(true);
  });
});
