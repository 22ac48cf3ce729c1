import { guardFormula } from "./formula-guard.ts";

/** Byte order mark that makes Excel read a CSV file as UTF-8. */
export const csvStart = "\ufeff";
/** Excel's separator wherever the decimal sign is a comma. */
const separator = ";";
const needsQuotes = /[";\r\n\t]|^\s|\s$/;

/** Returns a CSV file that such an Excel opens by a double click. Every text is made harmless first. */
export function writeCsvFile(rows: readonly (readonly string[])[]): Buffer {
  return Buffer.from(csvStart + csvLines(rows), "utf8");
}

/** Returns a piece of such a file, for one that is written row by row. */
export function csvLines(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((cells) => `${cells.map(csvField).join(separator)}\r\n`).join("");
}

/**
 * A text that people wrote, or a `plain` one that the program composed of digits and signs and that cannot be a
 * formula.
 */
type CsvCell = string | { plain: string };

function csvField(cell: CsvCell): string {
  if (cell === "") return cell;
  // Every text is in quotes, so that no program splits it, whatever its separator.
  if (typeof cell === "string") return `"${guardFormula(cell).replaceAll('"', '""')}"`;
  return needsQuotes.test(cell.plain) ? `"${cell.plain.replaceAll('"', '""')}"` : cell.plain;
}
