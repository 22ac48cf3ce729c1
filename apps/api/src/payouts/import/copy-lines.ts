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
  type PaymentMethod,
  storableTransfer,
  type TransferDraft,
} from "@malote/domain/transfer";
import { type ImportedPayment, importedColumns, type PaymentKind } from "../payment-columns.ts";
import type { CleanRow, Guess } from "./sheet/clean-cells.ts";
import type { SheetField, SheetHeadings } from "./sheet/headings.ts";
import type { SheetKind } from "./sheet/sheet-layout.ts";

export const paymentKindOf = (kind: SheetKind): PaymentKind => (kind === "billet" ? "BILLET" : "TRANSFER");

/** Returns the fields in the column order of the staging table. */
function lineOf<K extends PaymentKind>(kind: K, fields: ImportedPayment<K>): string {
  const inOrder: Readonly<Record<string, string>> = fields;
  let line = "";
  for (const column of importedColumns[kind]) line += line ? `\t${inOrder[column]}` : inOrder[column];
  return `${line}\n`;
}

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

const numberField = (value: number | null) => (value === null ? absent : String(value));
const json = (value: object) => field(JSON.stringify(value));
/** Removes NUL and replaces unpaired surrogates, which PostgreSQL text cannot hold. */
const textOf = (cell: string) => (cell.includes("\0") ? cell.replace(nul, "") : cell).toWellFormed();

/** Sheet column of each field, by the field's wire name. */
const columnsOfField: Record<string, SheetField> = {
  name: "name",
  cpf_cnpj: "taxId",
  email: "email",
  bank_id: "bank",
  agency: "agency",
  agency_digit: "agencyDigit",
  account: "account",
  account_digit: "accountDigit",
  account_type: "accountType",
  pix_key: "pixKey",
  pix_key_type: "pixKeyType",
  pix_key_validation: "pixKeyValidation",
  value: "value",
  payment_date: "paymentDate",
  pix_description: "pixDescription",
  integration_id: "integrationId",
  barcode: "barcode",
  description: "description",
};

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
    const fieldName = columnsOfField[issue.field];
    const column = fieldName === undefined ? undefined : headings.columnOf[fieldName];
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
      lines += lineOf("BILLET", {
        position: String(position),
        id: newId(),
        value: numberField(kept.value),
        payment_method: "BILLET",
        payment_date: kept.paymentDate ?? absent,
        integration_id: field(kept.integrationId),
        barcode: field(kept.barcode),
        due_date: kept.dueDate ?? absent,
        payable_until: kept.payableUntil ?? absent,
        description: field(kept.description),
        data_marks: absent,
        ...aboutRow(row, checked),
      });
      return kept.value ?? 0;
    },
    addTransfer(
      position: number,
      row: CleanRow<TransferDraft>,
      checked: { draft: TransferDraft; method: PaymentMethod; corrections: readonly Correction[] },
      issues: Checked,
    ): number {
      const draft = storableTransfer(checked.draft);
      const { method, corrections } = checked;
      lines += lineOf("TRANSFER", {
        position: String(position),
        id: newId(),
        value: numberField(draft.value),
        payment_method: method,
        payment_date: draft.paymentDate ?? absent,
        integration_id: field(draft.integrationId),
        name: field(draft.name),
        tax_id: field(draft.taxId),
        email: field(draft.email),
        bank_ispb: field(draft.bankIspb),
        agency: field(draft.agency),
        agency_digit: field(draft.agencyDigit),
        account: field(draft.account),
        account_digit: field(draft.accountDigit),
        account_type: field(draft.accountType),
        pix_key_type: field(draft.pixKeyType),
        pix_key: field(draft.pixKey),
        pix_key_validation: field(draft.pixKeyValidation),
        pix_description: field(draft.pixDescription),
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
