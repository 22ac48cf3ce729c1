import { readFile, stat } from "node:fs/promises";
import { type CellTexts, plainCellTexts } from "./cell-texts.ts";
import { type FileLimits, fileLimits } from "./limits.ts";
import { openCsv, type RateRows, rateByWidth } from "./read-csv.ts";
import { openXlsx } from "./read-xlsx.ts";
import { emptyFile, encrypted, oldExcel, tooLarge, wrongFormat } from "./sheet-file-error.ts";
import type { Tab } from "./sheet-row.ts";

export interface OpenOptions {
  limits?: FileLimits;
  cellTexts?: CellTexts;
  /**
   * Rates how well the first rows of a CSV file fit when split by one of the separators, for a caller with
   * expectations.
   */
  rateRows?: RateRows;
}

/**
 * Opens the visible tabs of a workbook, or the single one of a CSV file; `source` is the file's path or its bytes.
 * Throws `SheetFileError` for an unreadable file; so may a tab while it yields rows, when the rest is damaged or
 * hostile.
 */
export async function openTabs(
  source: string | Buffer,
  format: "xlsx" | "csv",
  { limits = fileLimits, cellTexts = plainCellTexts, rateRows = rateByWidth }: OpenOptions = {},
): Promise<Tab[]> {
  const bytes = await loadBytes(source, limits);
  return format === "xlsx" ? openWorkbook(bytes, limits, cellTexts) : [openTable(bytes, limits, rateRows)];
}

async function loadBytes(source: string | Buffer, limits: FileLimits): Promise<Buffer> {
  const size = typeof source === "string" ? (await stat(source)).size : source.length;
  if (size === 0) throw emptyFile();
  if (size > limits.fileBytesMax) throw tooLarge();
  return typeof source === "string" ? readFile(source) : source;
}

async function openWorkbook(bytes: Buffer, limits: FileLimits, cellTexts: CellTexts): Promise<Tab[]> {
  // The container of the old Excel format, which also wraps a workbook with a password.
  if (bytes.length >= 4 && bytes.readUInt32BE(0) === 0xd0cf11e0) {
    throw bytes.includes(Buffer.from("EncryptedPackage", "utf16le")) ? encrypted() : oldExcel();
  }
  return openXlsx(bytes, limits, cellTexts);
}

function openTable(bytes: Buffer, limits: FileLimits, rateRows: RateRows): Tab {
  // A page, a document or a program that is a table too: its own program shows content other than the rows read here.
  const isZip = bytes.length >= 4 && bytes.readUInt32BE(0) === 0x504b0304;
  if (isZip || notATable.test(bytes.toString("latin1", 0, 256))) throw wrongFormat();
  return openCsv(bytes, limits, rateRows);
}

const notATable = /^(%PDF-|\{\\rtf|(\xef\xbb\xbf)?\s*<[a-z!?/])/i;
