import { type CellTexts, plainCellTexts } from "./cell-texts.ts";
import { type FileLimits, fileLimits } from "./limits.ts";
import { openZip, readPart, streamPart, type ZipEntry, type ZipFile } from "./read-zip.ts";
import { unsafe, wrongFormat } from "./sheet-file-error.ts";
import type { SheetRow, Tab } from "./sheet-row.ts";
import { type CellContext, RowScanner } from "./xlsx-rows.ts";
import { findPrefixLength, readSharedStrings } from "./xlsx-strings.ts";
import { readWorkbook } from "./xlsx-workbook.ts";

/** Opens the visible worksheets of an xlsx file, in the order of their tabs. It never follows links in the file. */
export async function openXlsx(
  bytes: Buffer,
  limits: FileLimits = fileLimits,
  cellTexts: CellTexts = plainCellTexts,
): Promise<Tab[]> {
  const zip = openZip(bytes, limits);
  const workbook = await readWorkbook(zip, limits);
  const strings =
    workbook.sharedStrings === undefined
      ? []
      : readSharedStrings(
          await readPart(zip, workbook.sharedStrings, limits.sharedStringsBytesMax, limits),
          limits,
        );
  const cells: CellContext = { strings, workbook, cellTexts, columnsMax: limits.columnsMax };
  return workbook.worksheets.map((entry) => () => readWorksheet(zip, entry, cells, limits));
}

/**
 * Yields rows while they are inflated. A piece ends before the last row that begins in it, so each row is scanned whole
 * and once.
 */
async function* readWorksheet(
  zip: ZipFile,
  entry: ZipEntry,
  cells: CellContext,
  limits: FileLimits,
): AsyncGenerator<SheetRow[]> {
  let pending: Buffer = Buffer.alloc(0);
  let scanner: RowScanner | undefined;
  let isOver = false;
  for await (const chunk of streamPart(zip, entry, limits.worksheetBytesMax, limits)) {
    // The part after the rows is inflated only to verify the part's length and checksum.
    if (isOver) continue;
    const piece: Buffer = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    scanner ??= startScanner(piece, cells);
    const lastRowAt = scanner === undefined ? -1 : piece.lastIndexOf(scanner.rowStart);
    if (scanner !== undefined && (lastRowAt > 0 || piece.includes(scanner.rowsEnd))) {
      const cut = lastRowAt > 0 ? lastRowAt : piece.length;
      const rows = scanner.readRows(piece.subarray(0, cut));
      isOver = scanner.isOver;
      pending = piece.subarray(cut);
      if (rows.length > 0) yield rows;
    } else {
      pending = piece;
    }
    if (pending.length > limits.rowBytesMax && !isOver) throw unsafe();
  }
  if (isOver) return;
  scanner ??= startScanner(pending, cells);
  if (scanner === undefined) throw wrongFormat();
  const rows = scanner.readRows(pending);
  if (!scanner.isOver) throw wrongFormat();
  if (rows.length > 0) yield rows;
}

function startScanner(piece: Buffer, cells: CellContext): RowScanner | undefined {
  if (piece.length > 1 && (piece.readUInt16BE(0) === 0xfeff || piece.readUInt16BE(0) === 0xfffe))
    throw wrongFormat();
  if (!piece.includes("sheetData")) return undefined;
  const prefixLength = findPrefixLength(piece, "sheetData");
  const nameAt = piece.indexOf("sheetData");
  return new RowScanner(piece.toString("latin1", nameAt - prefixLength, nameAt), cells);
}
