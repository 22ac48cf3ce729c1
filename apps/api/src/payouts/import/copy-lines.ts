/**
 * Rows as lines of PostgreSQL's COPY text format: tabs between columns, `\N` for null, backslashes before special
 * characters.
 */
import { randomFillSync } from "node:crypto";
import type { BoletoDraft, BoletoToKeep } from "@malote/domain/boleto";
import type { DataMark } from "@malote/domain/data-marks";
import type { Issue } from "@malote/domain/issues";
import {
  type Correction,
  storableTransfer,
  type TransferDraft,
  type TransferMethod,
} from "@malote/domain/transfer";
import { transferFieldOf } from "@malote/domain/transfer-fields";
import {
  type DraftFields,
  fieldOfColumn,
  type ImportedPayment,
  importedColumns,
  type PaymentKind,
} from "../payment-columns.ts";
import type { CleanRow, Guess } from "./sheet/clean-cells.ts";
import type { SheetField, SheetHeadings } from "./sheet/headings.ts";
import type { SheetKind } from "./sheet/sheet-layout.ts";

export const paymentKindOf = (kind: SheetKind): PaymentKind => (kind === "billet" ? "BILLET" : "TRANSFER");

const confusing = /[\\\t\n\r]/;
const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
/** PostgreSQL text cannot hold NUL. */
const nul = /\0/g;

/** Null in the COPY text format. */
const absent = "\\N";

function field(text: string | null): string {
  if (text === null) return absent;
  const clean = text.includes("\0") ? text.replace(nul, "") : text;
  return confusing.test(clean) ? clean.replace(/[\\\t\n\r]/g, (sign) => escapes[sign] ?? "") : clean;
}

const textOfField = (value: string | number | null) =>
  typeof value === "number" ? String(value) : field(value);

/** Columns of a COPY line with the field of the draft that each holds, if any. */
const columns = {
  TRANSFER: importedColumns.TRANSFER.map((column) => [column, fieldOfColumn("TRANSFER", column)] as const),
  BILLET: importedColumns.BILLET.map((column) => [column, fieldOfColumn("BILLET", column)] as const),
};

/** Returns a line of the staging table: the draft's fields, and the other columns in their text form. */
function lineOf<K extends PaymentKind>(kind: K, draft: DraftFields<K>, others: ImportedPayment<K>): string {
  const ofDraft = draft as Readonly<Record<string, string | number | null>>;
  const given: Readonly<Record<string, string>> = others;
  let line = "";
  for (const [column, name] of columns[kind]) {
    const text = name === undefined ? given[column] : textOfField(ofDraft[name] ?? null);
    line += line ? `\t${text}` : text;
  }
  return `${line}\n`;
}

const json = (value: object) => field(JSON.stringify(value));
/** Removes NUL and replaces unpaired surrogates, which PostgreSQL text cannot hold. */
const textOf = (cell: string) => (cell.includes("\0") ? cell.replace(nul, "") : cell).toWellFormed();

/** Returns the name of a field in a sheet, by its wire name. */
const sheetFieldOf = (wireName: string): string =>
  wireName === "bank_id" ? ("bank" satisfies SheetField) : (transferFieldOf[wireName] ?? wireName);

/** Cell text longer than this is not used to group equal mistakes. */
const givenMax = 120;
const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * Returns a generator of UUIDv7 in bulk, each greater than the one before, so that they go to the end of an index.
 * Random bytes are drawn in blocks, and the twelve counter bits carry into the time, as RFC 9562 allows.
 */
function idMaker(now: number): () => string {
  const pool = Buffer.allocUnsafe(16 * 1024);
  let next = pool.length;
  let order = -1;
  let start = "";
  return () => {
    if (next + 8 > pool.length) {
      randomFillSync(pool);
      next = 0;
    }
    order++;
    if ((order & 0xfff) === 0) {
      const time = (now + (order >> 12)).toString(16).padStart(12, "0");
      start = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    }
    let tail = "";
    for (let i = 0; i < 8; i++) {
      const random = pool[next + i] ?? 0;
      const byte = i === 0 ? (random & 0x3f) | 0x80 : random;
      tail += hexOfByte[byte];
      if (i === 1) tail += "-";
    }
    next += 8;
    return `${start}${(order & 0xfff).toString(16).padStart(3, "0")}-${tail}`;
  };
}

/** Returns a unique name for each column, so that no cell is lost to another of the same heading. */
function columnNames(headings: readonly string[]): string[] {
  const taken = new Set<string>();
  return headings.map((heading, column) => {
    const name = heading && !taken.has(heading) ? heading : `${heading || "Coluna"} (${column + 1})`;
    taken.add(name);
    return name;
  });
}

interface Checked {
  errors: readonly Issue[];
  warnings: readonly Issue[];
}

export function copyLines(now: number, headings: SheetHeadings) {
  const newId = idMaker(now);
  let lines = "";

  const names = columnNames(headings.texts.map(textOf));
  const cellsOf = (raw: readonly string[]) =>
    Object.fromEntries(names.map((name, column) => [name, textOf(raw[column] ?? "")]));

  /** Returns the issue with the text of the cell, so that equal mistakes are corrected together. */
  const withGiven = (issue: Issue, raw: readonly string[]) => {
    const columnOf: Readonly<Record<string, number | undefined>> = headings.columnOf;
    const column = columnOf[sheetFieldOf(issue.field)];
    const given = column === undefined ? undefined : raw[column];
    return given === undefined || given.length > givenMax ? issue : { ...issue, given: textOf(given) };
  };

  /** Returns the columns that rows of both kinds share: issues, sheet row and cells. */
  const aboutRow = ({ raw, sheetRow }: CleanRow<unknown>, { errors, warnings }: Checked) => ({
    errors: errors.length > 0 ? json(errors.map((issue) => withGiven(issue, raw))) : absent,
    warnings: warnings.length > 0 ? json(warnings) : absent,
    sheet_row: String(sheetRow),
    // The stored file has the valid rows; the screen needs the cells of the others.
    sheet_cells: errors.length > 0 ? json(cellsOf(raw)) : absent,
  });

  const at = new Date(now).toISOString();
  const marksOf = (guesses: readonly Guess[], corrections: readonly Correction[]) =>
    json([
      ...guesses.map((guess) => ({ ...guess, origin: "guessed", by: null, at }) satisfies DataMark),
      ...corrections.map((one) => ({ ...one, origin: "automatic", by: null, at }) satisfies DataMark),
    ]);

  return {
    /** Adds a row and returns its amount in centavos, like `addTransfer`. */
    addBoleto(position: number, row: CleanRow<BoletoDraft>, kept: BoletoToKeep, checked: Checked): number {
      lines += lineOf("BILLET", kept, {
        position: String(position),
        id: newId(),
        payment_method: "BILLET",
        payable_until: kept.payableUntil ?? absent,
        data_marks: absent,
        ...aboutRow(row, checked),
      });
      return kept.value ?? 0;
    },
    addTransfer(
      position: number,
      row: CleanRow<TransferDraft>,
      checked: { draft: TransferDraft; method: TransferMethod; corrections: readonly Correction[] },
      issues: Checked,
    ): number {
      const draft = storableTransfer(checked.draft);
      const { method, corrections } = checked;
      lines += lineOf("TRANSFER", draft, {
        position: String(position),
        id: newId(),
        payment_method: method,
        data_marks: row.guesses.length + corrections.length > 0 ? marksOf(row.guesses, corrections) : absent,
        ...aboutRow(row, issues),
      });
      return draft.value ?? 0;
    },
    /** Returns the lines so far in a buffer of their own, which can be handed to another thread, and clears them. */
    take(): Uint8Array {
      const bytes = new TextEncoder().encode(lines);
      lines = "";
      return bytes;
    },
  };
}
