/** Contents of a column's cells, independent of its heading. */
import type { SheetField } from "@malote/contracts/import";
import { readAccountType } from "@malote/domain/bank-account";
import { readBoletoCode } from "@malote/domain/boleto-code";
import { type CalendarDate, readDate } from "@malote/domain/calendar";
import { parseBrl } from "@malote/domain/money";
import { detectPixKeyType } from "@malote/domain/pix-key";
import { isTaxId, normaliseTaxId } from "@malote/domain/tax-id";
import { cellKind, type SheetRow } from "@malote/sheet-reader/sheet-row";

/** Cells of a column that are account types, counted row by row. */
export interface TypeCount {
  cells: number;
  types: number;
  /** Types of one letter, which may mean something else. */
  letters: number;
  checking: number;
}

export const noTypes = (): TypeCount => ({ cells: 0, types: 0, letters: 0, checking: 0 });

export function countType(count: TypeCount, { texts }: SheetRow, column: number): TypeCount {
  const cell = texts[column]?.trim() ?? "";
  if (cell === "") return count;
  count.cells++;
  const type = readAccountType(cell);
  if (type !== "CONTA_CORRENTE" && type !== "CONTA_POUPANCA") return count;
  count.types++;
  if (cell.length === 1) count.letters++;
  if (type === "CONTA_CORRENTE") count.checking++;
  return count;
}

/**
 * Returns true when most cells are checking or savings accounts; 'pagamento' alone may be the type of anything. A
 * single letter is ambiguous: `C` and `P` are types only when the column holds nothing else. A column of only `P` may
 * mean payments, so it is not read and the person is asked.
 */
export const areAccountTypes = ({ cells, types, letters, checking }: TypeCount): boolean =>
  letters > 0 ? types === cells && checking > 0 : types * 2 > cells;

const codeLengths: ReadonlySet<number> = new Set([44, 47, 48]);

/**
 * Returns true for the digits of a boleto's code or line with any separators. The key of an invoice has 44 digits too,
 * so the code itself is checked afterwards.
 */
const looksLikeBoleto = (cell: string) =>
  cell.length >= 44 && codeLengths.has(cell.replace(/[\s.-]/g, "").length) && /^[\d\s.-]+$/.test(cell);

/** Returns the column of boletos: most of its cells look like codes, and most of those are valid. */
export function barcodeColumn(rows: readonly SheetRow[], among?: readonly number[]): number | undefined {
  let best: { column: number; right: number } | undefined;
  for (const column of among ?? Array.from({ length: widthOf(rows) }, (_, at) => at)) {
    const cells = rows.map(({ texts }) => texts[column]?.trim() ?? "").filter(Boolean);
    const alike = cells.filter(looksLikeBoleto);
    if (alike.length === 0 || alike.length * 2 < cells.length) continue;
    // The day from which the due date is counted does not matter here.
    const right = alike.filter((cell) => readBoletoCode(cell, anyDay) !== undefined).length;
    if (right * 2 >= alike.length && right > (best?.right ?? 0)) best = { column, right };
  }
  return best?.column;
}
const anyDay = "2026-01-02" as CalendarDate;

export const widthOf = (rows: readonly SheetRow[]): number =>
  rows.reduce((width, { texts }) => Math.max(width, texts.length), 0);

type Content = "taxId" | "pixKey" | "value" | "paymentDate";

const longestContent = 80;

/** Returns what a cell clearly is by itself. */
function contentOf({ texts, kinds }: SheetRow, column: number): Content | undefined {
  const cell = texts[column]?.trim() ?? "";
  if (cell === "" || cell.length > longestContent) return undefined;
  if (kinds[column] === cellKind.date || readDate(cell) !== undefined) return "paymentDate";
  if (isTaxId(normaliseTaxId(cell))) return "taxId";
  if (detectPixKeyType(cell) !== undefined) return "pixKey";
  if (kinds[column] === cellKind.number) return "value";
  // Numbers of banks and agencies begin with zeros.
  return /\d/.test(cell) && !/^0\d/.test(cell) && parseBrl(cell) !== undefined ? "value" : undefined;
}

const numbersOnly = /^[\d\s./-]*\d[\d\s./-]*$/;

/** Returns true when a cell of the row is data and no name of a column. */
export const holdsData = (row: SheetRow): boolean =>
  row.texts.some((text, column) => contentOf(row, column) !== undefined || numbersOnly.test(text));

const decimals = /[,.]\d{1,2}$/;

/** Fields that the cells of columns without a name suggest: one column for a field, or several that may hold it. */
export function guessFields(
  rows: readonly SheetRow[],
  columns: readonly number[],
): Map<SheetField, readonly number[]> {
  const found = new Map<Content, number[]>();
  const withDecimals: number[] = [];
  for (const column of columns) {
    const counts = new Map<Content | undefined, number>();
    let [cells, decimal] = [0, 0];
    for (const row of rows) {
      const text = row.texts[column]?.trim() ?? "";
      if (text === "") continue;
      const content = contentOf(row, column);
      cells++;
      counts.set(content, (counts.get(content) ?? 0) + 1);
      if (content === "value" && decimals.test(text)) decimal++;
    }
    for (const content of ["taxId", "pixKey", "value", "paymentDate"] as const)
      if ((counts.get(content) ?? 0) * 2 > cells) found.set(content, [...(found.get(content) ?? []), column]);
    if (decimal * 2 > cells) withDecimals.push(column);
  }
  // Whole numbers may be anything where another column has centavos.
  if (withDecimals.length > 0) found.set("value", withDecimals);
  return found;
}
