import { buffer } from "node:stream/consumers";
import { guardFormula, removeFormulaGuard } from "@malote/sheet-reader/formula-guard";
import { writeCsvFile } from "@malote/sheet-reader/write-csv";
import { textPieces } from "@malote/sheet-reader/write-xlsx";
import { foldHeading, reasonHeading } from "./heading-words.ts";

export interface BadRow {
  /** Cells as written, in the order of the headings. */
  raw: readonly string[];
  /** Portuguese sentences, one for each necessary correction. */
  reasons: readonly string[];
}

/**
 * Returns a sheet of the rows with errors, under their own headings and with a column of reasons. After correction the
 * file can be imported as it is: every cell is text and reads the same again, and the import ignores the column
 * 'Motivo'.
 */
export function writeBadRowsSheet(
  headings: readonly string[],
  badRows: readonly BadRow[],
  form: "xlsx" | "csv",
): Promise<Buffer> {
  // A file that was downloaded here before already has the column; old reasons would stand beside the new ones.
  const kept = [...headings.keys()].filter(
    (column) => foldHeading(headings[column] ?? "") !== foldHeading(reasonHeading),
  );
  const rows = [
    [...kept.map((column) => headings[column] ?? ""), reasonHeading],
    ...badRows.map(({ raw, reasons }) => [...kept.map((column) => raw[column] ?? ""), reasons.join("; ")]),
  ];
  if (form === "csv") return Promise.resolve(writeCsvFile(rows));
  // A text cell calculates nothing. Only a text that already looks guarded needs a guard, which reading removes.
  const texts = rows.map((row) =>
    row.map((text) => (removeFormulaGuard(text) === text ? text : guardFormula(text))),
  );
  return buffer(textPieces("Corrigir", 24, texts));
}
