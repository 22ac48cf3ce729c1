/** A table as the pieces of a file, read and written some rows at a time, so that other calls run in between. */
import { csvLines, csvStart } from "@malote/sheet-reader/write-csv";
import { workbookOf, xlsxPieces } from "./workbook.ts";

/** Yields slices of rows. `readAfter` returns the rows after `last`, and an empty list at the end. */
export async function* slicesAfter<Row>(
  readAfter: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await readAfter(last);
    last = rows.at(-1);
    if (!last) return;
    yield rows;
  }
}

export interface Table<Row> {
  name: string;
  headings: readonly string[];
  slices: AsyncIterable<readonly Row[]>;
  cellsOf(row: Row): readonly string[];
}

export async function* tablePieces<Row>(
  { name, headings, slices, cellsOf }: Table<Row>,
  form: "xlsx" | "csv",
): AsyncGenerator<Uint8Array> {
  if (form === "csv") {
    yield Buffer.from(csvStart + csvLines([headings]));
    for await (const rows of slices) yield Buffer.from(csvLines(rows.map(cellsOf)));
    return;
  }
  const workbook = workbookOf(headings);
  async function* cells() {
    for await (const rows of slices) for (const row of rows) yield workbook.cellsOf(cellsOf(row));
  }
  yield* xlsxPieces(name, workbook.columns, cells());
}
