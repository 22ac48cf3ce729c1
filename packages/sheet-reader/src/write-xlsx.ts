import { setImmediate } from "node:timers/promises";
import type { CellStyle, DataValidation, WriteSheet } from "hucre";
import { guardFormula } from "./formula-guard.ts";

export type { CellStyle, DataValidation, WriteSheet };

/** Excel shows such a cell as typed: `001` stays `001`, and fourteen digits do not become 8,3E+13. */
export const textStyle: CellStyle = { numFmt: "@" };

/** A fixed creation time instead of the machine's clock: the same content gives the same file. */
const noMoment = new Date("2000-01-01T00:00:00Z");

export async function writeXlsxFile(sheets: WriteSheet[]): Promise<Buffer> {
  // Loaded at the first download, because it would cost every start fifty milliseconds.
  const { writeXlsx } = await import("hucre");
  return Buffer.from(await writeXlsx({ sheets, properties: { created: noMoment, modified: noMoment } }));
}

export interface StyledColumn {
  title: string;
  width: number;
  style: CellStyle;
}

/**
 * Yields a workbook while its rows arrive; only the part that is on its way to the disk is in memory. `cellValue`
 * returns the value written for a cell; a text is made harmless first.
 */
export async function* xlsxPieces<Cell>(
  name: string,
  columns: readonly StyledColumn[],
  rows: AsyncIterable<readonly Cell[]>,
  cellValue: (cell: Cell) => string | number,
): AsyncGenerator<Uint8Array> {
  const { writeXlsxStream } = await import("hucre");
  const written = (cell: Cell) => {
    const value = cellValue(cell);
    return typeof value === "string" ? guardFormula(value) : value;
  };
  async function* cells() {
    yield columns.map(({ title }) => title);
    for await (const row of rows) yield row.map(written);
  }
  yield* writeXlsxStream(cells(), {
    name,
    columns: columns.map(({ width, style }) => ({ width, style })),
    freezePane: { rows: 1 },
  });
}

/** Rows written before other work gets a turn. */
const rowsAtOnce = 500;

/**
 * Yields a workbook of unchanged texts, the first row the headings. The caller must ensure that none is read as a
 * formula.
 */
export async function* textPieces(
  name: string,
  width: number,
  rows: readonly (readonly string[])[],
): AsyncGenerator<Uint8Array> {
  const { writeXlsxStream } = await import("hucre");
  async function* some() {
    for (const [at, row] of rows.entries()) {
      if (at % rowsAtOnce === rowsAtOnce - 1) await setImmediate();
      yield [...row];
    }
  }
  yield* writeXlsxStream(some(), {
    name,
    columns: (rows[0] ?? []).map(() => ({ width, style: textStyle })),
    freezePane: { rows: 1 },
  });
}
