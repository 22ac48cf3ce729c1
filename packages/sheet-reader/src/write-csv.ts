import { guardFormula } from "./formula-guard.ts";

/** How a CSV file begins that Excel is to read as UTF-8. */
export const csvStart = "\ufeff";
/** What Excel expects wherever the comma comes before decimals. */
const separator = ";";
const needsQuotes = /[";\r\n\t]|^\s|\s$/;

/** One CSV file as such an Excel opens it by a double click. Every text is made harmless first. */
export function writeCsvFile(rows: readonly (readonly string[])[]): Buffer {
  return Buffer.from(csvStart + csvLines(rows), "utf8");
}

/** A piece of such a file, for one that is written row by row. */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((cells) => `${cells.map(csvField).join(separator)}\r\n`).join("");
}

/** A text that people wrote, or one that the program made itself of digits and signs and that is no formula. */
type CsvCell = string | { plain: string };

function csvField(cell: CsvCell): string {
  if (cell === "") return cell;
  // Every text is in quotes, so that no program parts it, whatever separator it was set to.
  if (typeof cell === "string") return `"${guardFormula(cell).replaceAll('"', '""')}"`;
  return needsQuotes.test(cell.plain) ? `"${cell.plain.replaceAll('"', '""')}"` : cell.plain;
}
