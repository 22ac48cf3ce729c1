import type { BoletoDraft } from "@malote/domain/boleto";
import type { Cents } from "@malote/domain/money";
import type { TransferDraft } from "@malote/domain/transfer";
import type { CellTexts } from "@malote/sheet-reader/cell-texts";
import { openTabs } from "@malote/sheet-reader/open-tabs";
import type { SheetRow, Tab } from "@malote/sheet-reader/sheet-row";
import { amountOf, boletoCleaner, type CleanRow, transferCleaner } from "./clean-cells.ts";
import { countKnownHeadings, foldHeading } from "./heading-words.ts";
import { findHeadings, type HeadingHints, type SheetField, type SheetHeadings } from "./headings.ts";
import { type SheetLimits, sheetLimits } from "./limits.ts";
import {
  cancelled,
  refusalOfFile,
  SheetRefusal,
  tooManyRows,
  withoutItems,
  wrongEnding,
  wrongFormat,
} from "./refusal.ts";
import { type RestWatch, watchRest } from "./rest-of-sheet.ts";
import type { SheetLayout } from "./sheet-layout.ts";

/** Cell texts as Excel shows them in Brazil. */
const brazilianCells: CellTexts = {
  yes: "VERDADEIRO",
  no: "FALSO",
  noResult: "#SEM RESULTADO",
  date: (year, month, day) => `${day}/${month}/${year}`,
};

export interface ReadSheetOptions {
  limits?: SheetLimits;
  signal?: AbortSignal;
  /** Called after each block with the payments read so far. */
  onProgress?: (rowsRead: number) => void;
  hints?: HeadingHints;
}

/** Row that adds up the others, as people write one below a table. */
export interface TotalRow {
  sheetRow: number;
  /** Amount of the row; null when it could not be read. */
  stated: Cents | null;
}

/**
 * Sheet with accepted headings. The rows come once, in blocks of some hundreds, and may still end in a refusal (one row
 * too many, no row, a damaged or hostile rest), so the caller stores them in one transaction.
 */
export interface OpenSheet {
  headings: SheetHeadings;
  /** Returns the total after all rows were read. */
  total(): TotalRow | null;
  /** Returns the columns after all rows were read: also those whose first cells stand far below. */
  layout(): SheetLayout;
  /** Yields the rows of the kinds `transfer` and `transfer-pix`. */
  transfers(): AsyncGenerator<CleanRow<TransferDraft>[]>;
  /** Yields the rows of the kind `billet`. */
  boletos(): AsyncGenerator<CleanRow<BoletoDraft>[]>;
}

/**
 * Opens a sheet; `source` is the file's path or its bytes. Throws `SheetRefusal` when the file is not
 * accepted.
 */
export async function openSheet(
  source: string | Buffer,
  fileName: string,
  options: ReadSheetOptions = {},
): Promise<OpenSheet> {
  const limits = options.limits ?? sheetLimits;
  const ending = endingOf(fileName);
  const tabs = await openRefusing(source, ending, limits);
  const { headings, rows, first } = await chooseTab(tabs, limits, options.hints);
  const rest = watchRest(headings);
  let total: TotalRow | null = null;
  const payments = () =>
    countRows(watched(first, rows, rest), headings, limits, options, (found) => {
      total = found;
    });
  return {
    headings,
    total: () => total,
    layout: rest.layout,
    async *transfers() {
      if (headings.kind === "billet") throw new Error("a billet sheet has no transfers");
      const clean = transferCleaner(headings);
      for await (const block of payments()) yield block.map(clean);
    },
    async *boletos() {
      if (headings.kind !== "billet") throw new Error(`a ${headings.kind} sheet has no billets`);
      const clean = boletoCleaner(headings);
      for await (const block of payments()) yield block.map(clean);
    },
  };
}

/**
 * Returns the ending of a file name, which decides how the file is read (IMP-008); its bytes must agree. Throws for any
 * other ending.
 */
export function endingOf(fileName: string): "xlsx" | "csv" {
  const ending = /\.(xlsx|csv)$/i.exec(fileName.trim())?.[1]?.toLowerCase();
  if (ending !== "xlsx" && ending !== "csv") throw wrongEnding();
  return ending;
}

/** Opens the tabs of the file and converts errors of the file reader into our refusals. */
async function openRefusing(
  source: string | Buffer,
  ending: "xlsx" | "csv",
  limits: SheetLimits,
): Promise<Tab[]> {
  const rateRows = (rows: readonly SheetRow[]) => countKnownHeadings(headingRows(rows, limits));
  try {
    const tabs = await openTabs(source, ending, { limits, cellTexts: brazilianCells, rateRows });
    return tabs.map((tab) => () => streamRows(tab, limits));
  } catch (error) {
    throw refusalOfFile(error, limits);
  }
}

async function* streamRows(tab: Tab, limits: SheetLimits): AsyncGenerator<SheetRow[]> {
  try {
    yield* tab();
  } catch (error) {
    throw refusalOfFile(error, limits);
  }
}

const headingRows = (rows: readonly SheetRow[], limits: SheetLimits) =>
  rows.filter((row) => row.sheetRow <= limits.headingRowsMax);

interface ChosenTab {
  headings: SheetHeadings;
  /** Rows below the headings that decided what the columns hold. */
  first: SheetRow[];
  /** Rows below those. */
  rows: AsyncGenerator<SheetRow[]>;
}

/**
 * Returns the first tab whose first rows hold our headings. When none fits, throws the refusal of the first tab that
 * came near, and one with known headings rather than one without.
 */
async function chooseTab(
  tabs: Tab[],
  limits: SheetLimits,
  hints: HeadingHints | undefined,
): Promise<ChosenTab> {
  let nearest: SheetRefusal | undefined;
  // Many tabs together cost no more than one.
  const left = { rows: limits.decidingRowsMax, characters: limits.decidingCharactersMax };
  for (const tab of tabs) {
    const blocks = tab();
    const first = await readFirstRows(blocks, limits, left);
    try {
      const headings = findHeadings(first, hints);
      if (headings !== undefined) {
        const below = first.slice(first.findIndex((row) => row.sheetRow === headings.sheetRow) + 1);
        return { headings, first: below, rows: blocks };
      }
    } catch (error) {
      if (!(error instanceof SheetRefusal)) throw error;
      if (nearest === undefined || nearest.code === "sheet_wrong_format") nearest = error;
    }
    await blocks.return(undefined);
  }
  throw nearest ?? wrongFormat();
}

/** Reads the rows that may hold the headings, and as many more as may still decide what the columns hold. */
async function readFirstRows(
  blocks: AsyncGenerator<SheetRow[]>,
  limits: SheetLimits,
  left: { rows: number; characters: number },
): Promise<SheetRow[]> {
  const rows: SheetRow[] = [];
  while ((rows.at(-1)?.sheetRow ?? 0) <= limits.headingRowsMax || (left.rows > 0 && left.characters > 0)) {
    const next = await blocks.next();
    if (next.done) break;
    left.rows -= next.value.length;
    for (const { texts } of next.value) for (const text of texts) left.characters -= text.length;
    rows.push(...next.value);
  }
  return rows;
}

const rowsPerBlock = 1_000;

/** Yields all rows in blocks; those that decided nothing are compared with the decision first. */
async function* watched(
  first: SheetRow[],
  rest: AsyncGenerator<SheetRow[]>,
  { see, end }: RestWatch,
): AsyncGenerator<SheetRow[]> {
  try {
    for (let at = 0; at < first.length; at += rowsPerBlock) yield first.slice(at, at + rowsPerBlock);
    for await (const block of rest) {
      see(block);
      yield block;
    }
    end();
  } finally {
    await rest.return(undefined);
  }
}

async function* countRows(
  rows: AsyncGenerator<SheetRow[]>,
  headings: SheetHeadings,
  limits: SheetLimits,
  { signal, onProgress }: ReadSheetOptions,
  onTotal: (total: TotalRow) => void,
): AsyncGenerator<SheetRow[]> {
  let rowsRead = 0;
  const knownColumns = Object.values(headings.columnOf);
  const receiverColumns = receiverFields.flatMap((field) => headings.columnOf[field] ?? []);
  const isPayment = (row: SheetRow) => {
    if (!namesReceiver(row, receiverColumns)) {
      const word = row.texts.find(isTotalWord);
      if (word !== undefined) {
        if (!/^\s*sub/i.test(word))
          onTotal({ sheetRow: row.sheetRow, stated: amountOf(row, headings.columnOf.value) });
        return false;
      }
    }
    return hasKnownCell(row, knownColumns);
  };
  for await (const block of rows) {
    if (signal?.aborted) throw cancelled();
    const payments = block.filter(isPayment);
    rowsRead += payments.length;
    if (rowsRead > limits.rowsMax) throw tooManyRows(limits);
    if (payments.length > 0) yield payments;
    onProgress?.(rowsRead);
  }
  if (rowsRead === 0) throw withoutItems();
}

/** Fields that identify the payee. A row with one of them is a payment, whatever else it holds. */
const receiverFields: readonly SheetField[] = ["taxId", "pixKey", "account", "barcode"];

const totalWord =
  /^(sub ?)?total( geral| a pagar| do lote| da planilha| dos pagamentos| de pagamentos| r| rs)?$|^soma( total)?$/;
const longestTotalWord = 40;
function isTotalWord(text: string): boolean {
  if (text.length < 4 || text.length > longestTotalWord) return false;
  // This runs for every row, and hardly any row begins like a total.
  const first = text.trimStart().charCodeAt(0) | 0x20;
  return (first === letterS || first === letterT) && totalWord.test(foldHeading(text));
}
const letterS = 0x73;
const letterT = 0x74;

function namesReceiver({ texts }: SheetRow, columns: readonly number[]): boolean {
  for (const column of columns) {
    const text = column < texts.length ? (texts[column] as string) : "";
    if (text !== "" && text.trim() !== "" && !isTotalWord(text)) return true;
  }
  return false;
}

/**
 * Returns whether a row has content under one of our headings and may be a payment; a note or a total beside the table
 * has none.
 */
function hasKnownCell({ texts }: SheetRow, knownColumns: readonly number[]): boolean {
  for (const column of knownColumns) {
    const text = column < texts.length ? (texts[column] as string) : "";
    if (text !== "" && text.trim() !== "") return true;
  }
  return false;
}
