import type { SheetField } from "@malote/contracts/import";
import { areGenericHeadings } from "@malote/domain/generic-headings";
import { removeFormulaGuard } from "@malote/sheet-reader/formula-guard";
import type { SheetRow } from "@malote/sheet-reader/sheet-row";
import { barcodeColumn, guessFields, holdsData, widthOf } from "./column-contents.ts";
import { countKnown } from "./heading-words.ts";
import { sheetLimits } from "./limits.ts";
import { headingsRefusalOf, isWhole } from "./missing-columns.ts";
import { keyOf, namelessHeading, type ReadHeadings, readHeadings } from "./read-columns.ts";
import { wrongFormat } from "./refusal.ts";
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
  typeCounts: ReadHeadings["typeCounts"];
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
 * Returns the headings of the first row that fits a model; `rows` decide what columns without a clear name hold.
 * Returns undefined when no row looks like headings and no column holds boletos, so that another tab may be tried.
 * Throws a refusal with the columns when a row lacks headings or names one twice, and when none is recognised but
 * cells are amounts, so that a person can assign them.
 */
export function findHeadings(
  rows: readonly SheetRow[],
  { chosen, remembered = {} }: HeadingHints = {},
): SheetHeadings | undefined {
  const first = rows.filter(({ sheetRow }) => sheetRow <= sheetLimits.headingRowsMax);
  if (chosen) return headingsByChoice(rows, first, chosen);
  let nearest: { read: ReadHeadings; known: number } | undefined;
  for (const [at, row] of first.entries()) {
    const known = countKnown(row);
    if (known === 0) continue;
    const read = readHeadings(row, rows.slice(at + 1), remembered[keyOf(row.texts)]);
    // One known word beside a column of boletos makes a sheet of boletos; beside anything else it is a title.
    if (known < 2 && read.columnOf.barcode === undefined) continue;
    if (isWhole(read)) return headingsOf(row, read);
    if (nearest === undefined || known > nearest.known) nearest = { read, known };
  }
  if (nearest !== undefined) throw headingsRefusalOf(nearest.read);
  return withoutHeadings(rows) ?? byRememberedChoice(rows, first, remembered);
}

/**
 * Reads headings without a known name by an earlier choice for the same headings, or throws the columns to choose from.
 */
function byRememberedChoice(
  rows: readonly SheetRow[],
  first: readonly SheetRow[],
  remembered: NonNullable<HeadingHints["remembered"]>,
): SheetHeadings | undefined {
  const table = tableOf(rows, first);
  if (!table) return undefined;
  const { row, below } = table;
  // Names like `A` and `B` occur in many sheets, so a choice for one sheet does not apply to the next.
  const choice = areGenericHeadings(row.texts) ? undefined : remembered[keyOf(row.texts)];
  if (choice) {
    const read = readHeadings(row, below, choice);
    if (isWhole(read)) return headingsOf(row, read);
  }
  const layout = guessedLayout(row, below);
  if (layout) throw wrongFormat(layout);
  return undefined;
}

/** Columns with what their cells suggest; undefined when none holds amounts, because then nothing can be paid. */
function guessedLayout(row: SheetRow, below: readonly SheetRow[]): SheetLayout | undefined {
  const { columnOf, layout } = readHeadings(row, below, undefined);
  const unnamed = layout.columns.filter(({ field }) => field === null).map(({ column }) => column);
  const guesses = guessFields(below, unnamed);
  if (layout.columns.length < 2 || (columnOf.value === undefined && !guesses.has("value"))) return undefined;
  const guessAt = new Map<number, { field: SheetField; isAlone: boolean }>();
  for (const [field, columns] of guesses)
    if (columnOf[field] === undefined)
      for (const column of columns) guessAt.set(column, { field, isAlone: columns.length === 1 });
  return {
    ...layout,
    columns: layout.columns.map((column) => {
      const guess = guessAt.get(column.column);
      if (!guess) return column;
      return guess.isAlone ? { ...column, field: guess.field } : { ...column, may_be: guess.field };
    }),
  };
}

function headingsByChoice(
  rows: readonly SheetRow[],
  first: readonly SheetRow[],
  chosen: ColumnChoice,
): SheetHeadings | undefined {
  const table = tableOf(rows, first);
  if (!table) return undefined;
  const read = readHeadings(table.row, table.below, chosen);
  if (!isWhole(read)) throw headingsRefusalOf(read);
  return headingsOf(table.row, read);
}

interface Table {
  row: SheetRow;
  below: readonly SheetRow[];
}

/** Uses the row with the most known names, else the first row with two cells. A list of bare codes has no such row. */
function tableOf(rows: readonly SheetRow[], first: readonly SheetRow[]): Table | undefined {
  const [named] = first.toSorted((left, right) => countKnown(right) - countKnown(left));
  const known = named ? countKnown(named) : 0;
  // A known name above unknown ones makes a heading row; a title stands alone.
  if (named && (known > 1 || (known === 1 && (cellsOf(named) > 1 || widthOf(rows) === 1))))
    return { row: named, below: rows.slice(rows.indexOf(named) + 1) };
  return bareTable(rows) ?? unknownTable(rows, first);
}

const cellsOf = ({ texts }: SheetRow) => texts.filter((text) => text.trim() !== "").length;

/** Returns generated headings for a sheet that holds only a list of boletos. */
function withoutHeadings(rows: readonly SheetRow[]): SheetHeadings | undefined {
  const table = bareTable(rows);
  return table && headingsOf(table.row, readHeadings(table.row, rows, undefined));
}

const bareTable = (rows: readonly SheetRow[]): Table | undefined =>
  barcodeColumn(rows) === undefined ? undefined : { row: bareRow(rows), below: rows };

/**
 * Returns the first row with two cells as headings and the rows below it. A row that holds data is the first payment:
 * then the sheet has no headings, and generated ones stand above it.
 */
function unknownTable(rows: readonly SheetRow[], first: readonly SheetRow[]): Table | undefined {
  const row = first.find((row) => cellsOf(row) > 1) ?? (widthOf(rows) === 1 ? first[0] : undefined);
  if (!row) return undefined;
  return holdsData(row)
    ? { row: bareRow(rows), below: rows }
    : { row, below: rows.slice(rows.indexOf(row) + 1) };
}

function bareRow(rows: readonly SheetRow[]): SheetRow {
  const texts = Array.from({ length: widthOf(rows) }, (_, column) => namelessHeading(column));
  return { sheetRow: 0, hidden: false, texts, kinds: [] };
}

function headingsOf(
  { sheetRow, texts }: SheetRow,
  { columnOf, typeCounts, layout }: ReadHeadings,
): SheetHeadings {
  // A column that a person chose may stand beside the last heading.
  const width = Math.max(texts.length, ...Object.values(columnOf).map((column) => column + 1));
  return {
    kind: layout.kind,
    sheetRow,
    // A file of ours guards a heading that begins like a formula.
    texts: Array.from({ length: width }, (_, column) => removeFormulaGuard((texts[column] ?? "").trim())),
    columnOf,
    typeCounts,
    layout,
  };
}
