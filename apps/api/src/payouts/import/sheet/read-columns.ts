/** Mapping of columns to fields: by name, by the content of the cells, and by a person's choice. */
import { createHash } from "node:crypto";
import type { SheetField } from "@malote/contracts/import";
import { removeFormulaGuard } from "@malote/sheet-reader/formula-guard";
import type { SheetRow } from "@malote/sheet-reader/sheet-row";
import {
  areAccountTypes,
  barcodeColumn,
  countType,
  noTypes,
  type TypeCount,
  widthOf,
} from "./column-contents.ts";
import { dueWords, fieldsNamedBy, foldHeading, headingOf, reasonHeading } from "./heading-words.ts";
import type { ColumnChoice, SheetKind, SheetLayout } from "./sheet-layout.ts";

/** Field that two columns must not name: the wrong amount could be paid, however clear one of the names looks. */
const neverTwice: SheetField = "value";

const reason = foldHeading(reasonHeading);

/**
 * Returns the key of the headings in their order, each folded by `foldHeading`. Our own column of reasons does not
 * count.
 */
export function keyOf(texts: readonly string[]): string {
  const folded = texts.map(foldHeading);
  while (folded.length > 0 && (folded.at(-1) === "" || folded.at(-1) === reason)) folded.pop();
  return createHash("sha256").update(folded.join("\n")).digest("hex");
}

export interface ReadHeadings {
  columnOf: Partial<Record<SheetField, number>>;
  /** Field that several columns may hold, none of them clearly. */
  unclear: SheetField | undefined;
  /** Columns whose name leaves open whether they hold account types, with what their cells said so far. */
  typeCounts: ReadonlyMap<number, TypeCount>;
  layout: SheetLayout;
}

export function readHeadings(
  { texts }: SheetRow,
  below: readonly SheetRow[],
  choice: ColumnChoice | undefined,
): ReadHeadings {
  const named = fieldsNamedBy(texts);
  const isChosen = (column: number) => choice !== undefined && Object.hasOwn(choice, column);
  const candidates = new Map<SheetField, number[]>();
  const add = (field: SheetField | null | undefined, column: number) => {
    if (field) candidates.set(field, [...(candidates.get(field) ?? []), column]);
  };
  for (const column of texts.keys()) {
    if (!isChosen(column)) add(named[column], column);
  }
  if (!candidates.has("barcode") && !isOtherKind(candidates)) {
    const column = barcodeColumn(below);
    if (column !== undefined && !isChosen(column)) {
      for (const columns of candidates.values())
        if (columns.includes(column)) columns.splice(columns.indexOf(column), 1);
      add("barcode", column);
    }
  }
  const typeCounts = new Map<number, TypeCount>();
  if (!candidates.has("accountType")) {
    for (const [column, text] of texts.entries()) {
      if (isChosen(column) || !isPlainType(text)) continue;
      const count = below.reduce((count, row) => countType(count, row, column), noTypes());
      typeCounts.set(column, count);
      if (areAccountTypes(count)) add("accountType", column);
    }
  }
  const width = Math.max(texts.length, widthOf(below));
  const columnOf: Partial<Record<SheetField, number>> = {};
  for (const [column, field] of Object.entries(choice ?? {})) {
    if (!field || Number(column) >= width) continue;
    columnOf[field] = Number(column);
    candidates.delete(field);
  }
  let unclear: SheetField | undefined;
  const mayBe = new Map<number, SheetField>();
  for (const [field, columns] of candidates) {
    const one =
      columns.length === 0 ? undefined : oneOf(field, columns, texts, below, candidates.has("barcode"));
    if (one !== undefined) columnOf[field] = one;
    else if (columns.length > 0) {
      unclear ??= field;
      for (const column of columns) mayBe.set(column, field);
    }
  }
  const kind = kindOf(columnOf);
  restrictToKind(kind, columnOf);
  const fieldAt = new Map(Object.entries(columnOf).map(([field, column]) => [column, field as SheetField]));
  const columns = Array.from({ length: width }, (_, column) => column).flatMap((column) => {
    const text = texts[column] ?? "";
    const sample: string[] = [];
    for (const row of below) if (addSample(sample, row, column)) break;
    const heading = removeFormulaGuard(text.trim());
    // A column without a name and without cells does not count, and our column of reasons is never read.
    if ((heading === "" && sample.length === 0) || foldHeading(text) === reason) return [];
    return [
      {
        column,
        heading: heading || namelessHeading(column),
        field: fieldAt.get(column) ?? null,
        may_be: fieldAt.has(column) ? null : (mayBe.get(column) ?? null),
        sample,
      },
    ];
  });
  return { columnOf, unclear, typeCounts, layout: { key: keyOf(texts), kind, columns } };
}

export const namelessHeading = (column: number) => `Coluna ${column + 1}`;

const samplesMax = 3;
const sampleLengthMax = 60;

export const isFull = (sample: readonly string[]) => sample.length >= samplesMax;

/** Adds a row's cell to the first ones of a column. Returns true when there are enough. */
export function addSample(sample: string[], { texts }: SheetRow, column: number): boolean {
  const cell = texts[column]?.trim() ?? "";
  if (cell !== "") sample.push(cell.slice(0, sampleLengthMax));
  return isFull(sample);
}

/**
 * Returns true when the columns name a Pix key or a bank account: the sheet holds no boletos, even if a column holds
 * long numbers.
 */
const isOtherKind = (candidates: ReadonlyMap<SheetField, number[]>) =>
  candidates.has("pixKey") ||
  (candidates.has("bank") && candidates.has("account") && candidates.has("agency"));

/** Returns the column that clearly holds the field; undefined when several may. */
function oneOf(
  field: SheetField,
  columns: readonly number[],
  texts: readonly string[],
  below: readonly SheetRow[],
  isOfBoletos: boolean,
): number | undefined {
  if (columns.length === 1) return columns[0];
  // Barcode and digitable line carry the same data, so the column that is filled in is used.
  if (field === "barcode") return barcodeColumn(below, columns) ?? columns[0];
  // Other description columns are not lost unnoticed: the layout lists columns that are not read.
  if (firstIsEnough.has(field)) return columns[0];
  const folded = columns.map((column) => [column, foldHeading(texts[column] ?? "")] as const);
  // The code of a boleto contains its due date.
  const candidates =
    field === "paymentDate" && isOfBoletos ? folded.filter(([, heading]) => !dueWords.has(heading)) : folded;
  if (candidates.length === 1) return candidates[0]?.[0];
  const exact = candidates.filter(([, heading]) => heading === foldHeading(headingOf[field]));
  return field !== neverTwice && exact.length === 1 ? exact[0]?.[0] : undefined;
}

const firstIsEnough: ReadonlySet<SheetField> = new Set(["description", "pixDescription"]);

/** Headings that may stand for types of accounts, of keys or of anything else: the cells decide. */
const plainTypes: ReadonlySet<string> = new Set(["tipo", "tp", "modalidade"]);
const isPlainType = (heading: string) => plainTypes.has(foldHeading(heading));

function kindOf(columnOf: ReadHeadings["columnOf"]): SheetKind {
  if (columnOf.barcode !== undefined) return "billet";
  return columnOf.pixKey !== undefined || columnOf.pixKeyType !== undefined ? "transfer-pix" : "transfer";
}

const boletoFields: ReadonlySet<SheetField> = new Set([
  "barcode",
  "value",
  "paymentDate",
  "description",
  "integrationId",
]);

/** Removes the fields that the kind does not have; the layout shows their columns as ignored. */
function restrictToKind(kind: SheetKind, columnOf: ReadHeadings["columnOf"]): void {
  if (kind !== "billet") {
    // The plain 'Descrição' of a transfer sheet is its only description.
    const description = columnOf.pixDescription ?? columnOf.description;
    if (description !== undefined) columnOf.pixDescription = description;
    delete columnOf.description;
    return;
  }
  // Every boleto needs a description, and the payee or the purpose is one. In a sheet of boletos 'Conta' is the bill.
  const description = columnOf.description ?? columnOf.pixDescription ?? columnOf.name ?? columnOf.account;
  if (description !== undefined) columnOf.description = description;
  for (const field of Object.keys(columnOf) as SheetField[])
    if (!boletoFields.has(field)) delete columnOf[field];
}
