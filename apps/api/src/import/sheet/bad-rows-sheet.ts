import { guardFormula } from "./formula-guard.ts";
import { foldHeading, reasonHeading } from "./headings.ts";
import { headingStyle, textStyle, writeCsvFile, writeXlsxFile } from "./sheet-files.ts";

export interface BadRow {
  /** The cells as they were written, beside the headings. */
  raw: readonly string[];
  /** Portuguese sentences, one for each thing to correct. */
  reasons: readonly string[];
}

/**
 * Only the rows with errors, under their own headings and with a column that says why. Corrected, the file is imported
 * as it is: every cell is text and reads the same again, and the column 'Motivo' is no heading of ours.
 */
export function badRowsSheet(
  headings: readonly string[],
  badRows: readonly BadRow[],
  form: "xlsx" | "csv",
): Promise<Buffer> {
  // A file that was downloaded here before already has the column; the old reasons would stand beside the new ones.
  const kept = [...headings.keys()].filter(
    (column) => foldHeading(headings[column] ?? "") !== foldHeading(reasonHeading),
  );
  const rows = [
    [...kept.map((column) => headings[column] ?? ""), reasonHeading],
    ...badRows.map(({ raw, reasons }) => [...kept.map((column) => raw[column] ?? ""), reasons.join("; ")]),
  ];
  if (form === "csv") return Promise.resolve(writeCsvFile(rows));
  const columns = rows[0]?.length ?? 0;
  return writeXlsxFile([
    {
      name: "Corrigir",
      columns: Array.from({ length: columns }, () => ({ width: 24, style: textStyle })),
      // A text cell calculates nothing. Only an apostrophe of the text's own needs another, which reading takes away.
      rows: rows.map((texts) => texts.map((text) => (text.startsWith("'") ? guardFormula(text) : text))),
      cells: new Map(
        Array.from({ length: columns }, (_, column) => [`0,${column}`, { style: headingStyle }] as const),
      ),
      freezePane: { rows: 1 },
    },
  ]);
}
