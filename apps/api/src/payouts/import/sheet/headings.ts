import type { SheetField } from "@malote/contracts/import";
import { removeFormulaGuard } from "@malote/sheet-reader/formula-guard";
import type { SheetRow } from "@malote/sheet-reader/sheet-row";
import { countKnown } from "./heading-words.ts";
import { isWhole, refusalOf } from "./missing-columns.ts";
import { barcodeColumn, keyOf, type ReadHeadings, readHeadings } from "./read-columns.ts";
import type { ColumnChoice, SheetKind, SheetLayout } from "./sheet-layout.ts";

export type { SheetField };

export interface SheetHeadings {
  kind: SheetKind;
  /** Row of the headings; 0 when the sheet has none. */
  sheetRow: number;
  /** Headings as written, for the file of bad rows. */
  texts: string[];
  /** Column of each known field. */
  columnOf: Partial<Record<SheetField, number>>;
  layout: SheetLayout;
}

/** Choices of columns that help to read the rows. */
export interface HeadingHints {
  /** Choice of a person for this sheet. */
  chosen?: ColumnChoice | undefined;
  /** Choices that people of the company made for sheets with the same headings, by the key of the headings. */
  remembered?: Readonly<Record<string, ColumnChoice>>;
}

/**
 * Returns the headings of the first row that fits a model. Returns undefined when no row looks like headings and no
 * column holds boletos, so that another tab may be tried. Throws a refusal with the columns when a row lacks headings
 * or names one twice, so that a person can assign them.
 */
export function findHeadings(
  rows: readonly SheetRow[],
  { chosen, remembered = {} }: HeadingHints = {},
): SheetHeadings | undefined {
  if (chosen) return headingsByChoice(rows, chosen);
  let nearest: { read: ReadHeadings; known: number } | undefined;
  for (const [at, row] of rows.entries()) {
    const known = countKnown(row);
    if (known === 0) continue;
    const read = readHeadings(row, rows.slice(at + 1), remembered[keyOf(row.texts)]);
    // One known word beside a column of boletos makes a sheet of boletos; beside anything else it is a title.
    if (known < 2 && read.columnOf.barcode === undefined) continue;
    if (isWhole(read)) return headingsOf(row, read);
    if (nearest === undefined || known > nearest.known) nearest = { read, known };
  }
  if (nearest !== undefined) throw refusalOf(nearest.read);
  return withoutHeadings(rows);
}

/** Uses the row with the most known names, else the first row with two cells. A list of bare codes has no such row. */
function headingsByChoice(rows: readonly SheetRow[], chosen: ColumnChoice): SheetHeadings | undefined {
  const byKnown = rows.toSorted((left, right) => countKnown(right) - countKnown(left));
  const named = byKnown[0] && countKnown(byKnown[0]) > 0 ? byKnown[0] : undefined;
  const bare = named ? undefined : withoutHeadings(rows);
  const row = named ?? (bare ? bareRow(rows) : rows.find(({ texts }) => texts.filter(Boolean).length > 1));
  if (!row) return undefined;
  const below = bare ? rows : rows.slice(rows.indexOf(row) + 1);
  const read = readHeadings(row, below, chosen);
  if (!isWhole(read)) throw refusalOf(read);
  return headingsOf(row, read);
}

/** Returns generated headings for a sheet that holds only a list of boletos. */
function withoutHeadings(rows: readonly SheetRow[]): SheetHeadings | undefined {
  const barcode = barcodeColumn(rows);
  if (barcode === undefined) return undefined;
  const row = bareRow(rows);
  return headingsOf(row, readHeadings(row, rows, undefined));
}

function bareRow(rows: readonly SheetRow[]): SheetRow {
  const width = Math.max(0, ...rows.map(({ texts }) => texts.length));
  const texts = Array.from({ length: width }, (_, column) => `Coluna ${column + 1}`);
  return { sheetRow: 0, hidden: false, texts, kinds: [] };
}

const headingsOf = ({ sheetRow, texts }: SheetRow, { columnOf, layout }: ReadHeadings): SheetHeadings => ({
  kind: layout.kind,
  sheetRow,
  // A file of ours guards a heading that begins like a formula.
  texts: texts.map((text) => removeFormulaGuard(text.trim())),
  columnOf,
  layout,
});
