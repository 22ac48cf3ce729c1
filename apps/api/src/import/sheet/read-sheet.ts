import { readFile, stat } from "node:fs/promises";
import type { BilletDraft } from "@malote/domain/billet";
import type { TransferDraft } from "@malote/domain/transfer";
import { billetCleaner, type CleanRow, transferCleaner } from "./clean-cells.ts";
import { countKnownHeadings, findHeadings, type SheetHeadings } from "./headings.ts";
import { type SheetLimits, sheetLimits } from "./limits.ts";
import { openCsv } from "./read-csv.ts";
import { openXlsx } from "./read-xlsx.ts";
import {
  cancelled,
  emptyFile,
  encrypted,
  oldExcel,
  SheetRefusal,
  tooLarge,
  tooManyRows,
  withoutItems,
  wrongEnding,
  wrongFormat,
} from "./refusal.ts";
import type { SheetRow } from "./sheet-row.ts";

export interface ReadSheetOptions {
  limits?: SheetLimits;
  signal?: AbortSignal;
  /** Called after each block with the payments read so far. */
  onProgress?: (rowsRead: number) => void;
}

/**
 * A sheet whose headings fit. The rows come once, in blocks of some hundreds, and may still end in a refusal (one row
 * too many, no row at all, a damaged or hostile rest): who stores them does so in one transaction.
 */
export interface OpenSheet {
  headings: SheetHeadings;
  /** For the kinds `transfer` and `transfer-pix`. */
  transfers(): AsyncGenerator<CleanRow<TransferDraft>[]>;
  /** For the kind `billet`. */
  billets(): AsyncGenerator<CleanRow<BilletDraft>[]>;
}

/** Works in any thread; `source` is the file's path or its bytes. Throws `SheetRefusal` for what is not accepted. */
export async function openSheet(
  source: string | Buffer,
  fileName: string,
  options: ReadSheetOptions = {},
): Promise<OpenSheet> {
  const limits = options.limits ?? sheetLimits;
  const ending = endingOf(fileName);
  const bytes = await loadBytes(source, limits);
  const tabs = ending === "xlsx" ? await openWorkbookTabs(bytes, limits) : [openCsvTab(bytes, limits)];
  const { headings, rows } = await chooseTab(tabs, limits);
  const payments = () => countRows(rows, headings, limits, options);
  return {
    headings,
    async *transfers() {
      if (headings.kind === "billet") throw new Error("a billet sheet has no transfers");
      const clean = transferCleaner(headings);
      for await (const block of payments()) yield block.map(clean);
    },
    async *billets() {
      if (headings.kind !== "billet") throw new Error(`a ${headings.kind} sheet has no billets`);
      const clean = billetCleaner(headings);
      for await (const block of payments()) yield block.map(clean);
    },
  };
}

/** IMP-008: the ending decides how a file is read, and its bytes must agree. */
export function endingOf(fileName: string): "xlsx" | "csv" {
  const ending = /\.(xlsx|csv)$/i.exec(fileName.trim())?.[1]?.toLowerCase();
  if (ending !== "xlsx" && ending !== "csv") throw wrongEnding();
  return ending;
}

async function loadBytes(source: string | Buffer, limits: SheetLimits): Promise<Buffer> {
  const size = typeof source === "string" ? (await stat(source)).size : source.length;
  if (size === 0) throw emptyFile();
  if (size > limits.fileBytesMax) throw tooLarge(limits);
  return typeof source === "string" ? readFile(source) : source;
}

type Tab = () => AsyncGenerator<SheetRow[]>;

async function openWorkbookTabs(bytes: Buffer, limits: SheetLimits): Promise<Tab[]> {
  // The container of the old Excel; a workbook with a password is wrapped in it too.
  if (bytes.length >= 4 && bytes.readUInt32BE(0) === 0xd0cf11e0) {
    throw bytes.includes(Buffer.from("EncryptedPackage", "utf16le")) ? encrypted() : oldExcel();
  }
  return openXlsx(bytes, limits);
}

function openCsvTab(bytes: Buffer, limits: SheetLimits): Tab {
  // A page, a document or a program that is also a table shows whoever opens it something else than what is paid.
  const isZip = bytes.length >= 4 && bytes.readUInt32BE(0) === 0x504b0304;
  if (isZip || notATable.test(bytes.toString("latin1", 0, 256))) throw wrongFormat();
  return openCsv(bytes, limits, (rows) => countKnownHeadings(headingRows(rows, limits)));
}

const notATable = /^(%PDF-|\{\\rtf|(\xef\xbb\xbf)?\s*<[a-z!?/])/i;

const headingRows = (rows: readonly SheetRow[], limits: SheetLimits) =>
  rows.filter((row) => row.sheetRow <= limits.headingRowsMax);

interface ChosenTab {
  headings: SheetHeadings;
  /** From the first row below the headings. */
  rows: AsyncGenerator<SheetRow[]>;
}

/** The first tab whose first rows hold our headings. When none fits, the first that came near says what it lacks. */
async function chooseTab(tabs: Tab[], limits: SheetLimits): Promise<ChosenTab> {
  let nearest: SheetRefusal | undefined;
  for (const tab of tabs) {
    const blocks = tab();
    const first = await firstRows(blocks, limits);
    try {
      const headings = findHeadings(headingRows(first, limits));
      if (headings !== undefined) return { headings, rows: rowsBelow(headings, first, blocks) };
    } catch (error) {
      if (!(error instanceof SheetRefusal)) throw error;
      nearest ??= error;
    }
    await blocks.return(undefined);
  }
  throw nearest ?? wrongFormat();
}

async function firstRows(blocks: AsyncGenerator<SheetRow[]>, limits: SheetLimits): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  while ((rows.at(-1)?.sheetRow ?? 0) <= limits.headingRowsMax) {
    const next = await blocks.next();
    if (next.done) break;
    rows.push(...next.value);
  }
  return rows;
}

async function* rowsBelow(
  headings: SheetHeadings,
  first: SheetRow[],
  blocks: AsyncGenerator<SheetRow[]>,
): AsyncGenerator<SheetRow[]> {
  const headingAt = first.findIndex((row) => row.sheetRow === headings.sheetRow);
  try {
    const rest = first.slice(headingAt + 1);
    if (rest.length > 0) yield rest;
    yield* blocks;
  } finally {
    await blocks.return(undefined);
  }
}

async function* countRows(
  rows: AsyncGenerator<SheetRow[]>,
  headings: SheetHeadings,
  limits: SheetLimits,
  { signal, onProgress }: ReadSheetOptions,
): AsyncGenerator<SheetRow[]> {
  let rowsRead = 0;
  const knownColumns = Object.values(headings.columnOf);
  for await (const block of rows) {
    if (signal?.aborted) throw cancelled();
    const payments = block.filter((row) => hasKnownCell(row, knownColumns));
    rowsRead += payments.length;
    if (rowsRead > limits.rowsMax) throw tooManyRows(limits);
    if (payments.length > 0) yield payments;
    onProgress?.(rowsRead);
  }
  if (rowsRead === 0) throw withoutItems();
}

/** A note or a total beside the table is no payment; any content under a heading of ours may be one. */
function hasKnownCell({ texts }: SheetRow, knownColumns: readonly number[]): boolean {
  for (const column of knownColumns) {
    const text = column < texts.length ? (texts[column] as string) : "";
    if (text !== "" && text.trim() !== "") return true;
  }
  return false;
}
