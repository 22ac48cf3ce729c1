import type { CellStyle, DataValidation, WriteSheet } from "hucre";
import { guardFormula } from "./formula-guard.ts";

/** Excel keeps such a cell as typed: `001` stays `001`, and a document of fourteen digits is no 8,3E+13. */
export const textStyle: CellStyle = { numFmt: "@" };
export const headingStyle: CellStyle = { ...textStyle, font: { bold: true } };

/** How a CSV file begins that Excel is to read as UTF-8. */
export const csvStart = "\ufeff";
/** What Excel in Brazil expects. */
const separator = ";";
const needsQuotes = /[";\r\n\t]|^\s|\s$/;

/** One CSV file as Excel in Brazil opens it by a double click. Every text is made harmless first. */
export function writeCsvFile(rows: readonly (readonly string[])[]): Buffer {
  return Buffer.from(csvStart + csvLines(rows), "utf8");
}

/** A piece of such a file, for one that is written row by row. */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((cells) => `${cells.map(csvField).join(separator)}\r\n`).join("");
}

/** The pieces of such a file, some rows at a time: `readAfter` answers those behind the last of the ones before, and none at the end. */
export async function* csvPieces<Row>(
  headings: readonly string[],
  readAfter: (last: Row | undefined) => Promise<readonly Row[]>,
  cellsOf: (row: Row) => readonly CsvCell[],
): AsyncGenerator<string> {
  yield csvStart + csvLines([headings]);
  for (let last: Row | undefined; ; ) {
    const rows = await readAfter(last);
    last = rows.at(-1);
    if (!last) return;
    yield csvLines(rows.map(cellsOf));
  }
}

/** A text that people wrote, or one that we made ourselves of digits and signs and that is no formula. */
type CsvCell = string | { plain: string };

function csvField(cell: CsvCell): string {
  const guarded = typeof cell === "string" ? guardFormula(cell) : cell.plain;
  return needsQuotes.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** A workbook tells when it was made, by itself by the machine's clock. Ours tell nothing: the same content is the same file. */
const noMoment = new Date("2000-01-01T00:00:00Z");

export async function writeXlsxFile(sheets: WriteSheet[]): Promise<Buffer> {
  // Loaded at the first download: it would cost every start fifty milliseconds.
  const { writeXlsx } = await import("hucre");
  return Buffer.from(await writeXlsx({ sheets, properties: { created: noMoment, modified: noMoment } }));
}

export type { CellStyle, DataValidation, WriteSheet };

/** A plain table of texts, its first row the headings. */
export function writeTable(
  name: string,
  rows: readonly (readonly string[])[],
  form: "xlsx" | "csv",
): Promise<Buffer> {
  if (form === "csv") return Promise.resolve(writeCsvFile(rows));
  return writeXlsxFile([
    {
      name,
      columns: (rows[0] ?? []).map(() => ({ width: 22, style: textStyle })),
      rows: rows.map((texts) => texts.map(guardFormula)),
      freezePane: { rows: 1 },
    },
  ]);
}

/** A text, or an amount, which a workbook keeps as a number. */
export type Cell = string | { centavos: number };

export interface WorkbookColumn {
  title: string;
  width: number;
  isAmount?: boolean;
}

const amountStyle: CellStyle = { numFmt: "#,##0.00" };

/** A workbook written as its rows come: no more of it is in memory than is on its way to the disk. */
export async function* xlsxPieces(
  name: string,
  columns: readonly WorkbookColumn[],
  rows: AsyncIterable<readonly Cell[]>,
): AsyncGenerator<Uint8Array> {
  const { writeXlsxStream } = await import("hucre");
  async function* cells() {
    yield columns.map(({ title }) => title);
    for await (const row of rows)
      yield row.map((cell) => (typeof cell === "string" ? guardFormula(cell) : cell.centavos / 100));
  }
  yield* writeXlsxStream(cells(), {
    name,
    columns: columns.map(({ width, isAmount }) => ({ width, style: isAmount ? amountStyle : textStyle })),
    freezePane: { rows: 1 },
  });
}
