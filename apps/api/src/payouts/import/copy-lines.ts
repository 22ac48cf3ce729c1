/** Rows as lines of PostgreSQL's COPY text format: tab between columns, `\N` for null, backslashes before what would confuse. */
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
import type { CleanRow, Guess } from "./sheet/clean-cells.ts";
import type { SheetField, SheetHeadings, SheetKind } from "./sheet/headings.ts";

/** The columns of the staging tables, in the order of the lines. */
const transferColumns = [
  "position int",
  "id uuid",
  "value bigint",
  "payment_method text",
  "payment_date date",
  "integration_id text",
  "name text",
  "tax_id text",
  "email text",
  "bank_ispb text",
  "agency text",
  "agency_digit text",
  "account text",
  "account_digit text",
  "account_type text",
  "pix_key_type text",
  "pix_key text",
  "pix_key_validation text",
  "pix_description text",
  "errors jsonb",
  "warnings jsonb",
  "sheet_row int",
  // Not jsonb, which would sort the columns of the file.
  "sheet_cells json",
  "data_marks jsonb",
];

const boletoColumns = [
  "position int",
  "id uuid",
  "value bigint",
  "payment_date date",
  "due_date date",
  "payable_until date",
  "barcode text",
  "description text",
  "integration_id text",
  "errors jsonb",
  "warnings jsonb",
  "sheet_row int",
  "sheet_cells json",
];

export const stagingColumns: Readonly<Record<SheetKind, readonly string[]>> = {
  transfer: transferColumns,
  "transfer-pix": transferColumns,
  billet: boletoColumns,
};

const confusing = /[\\\t\n\r]/;
const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
/** PostgreSQL text holds no NUL. */
const nul = /\0/g;

function field(text: string | null): string {
  if (text === null) return "\\N";
  const clean = text.includes("\0") ? text.replace(nul, "") : text;
  return confusing.test(clean) ? clean.replace(/[\\\t\n\r]/g, (sign) => escapes[sign] ?? "") : clean;
}

const json = (value: object) => field(JSON.stringify(value));
/** What a cell said, without what no text of PostgreSQL holds: NUL and half characters. */
const textOf = (cell: string) => (cell.includes("\0") ? cell.replace(nul, "") : cell).toWellFormed();

/** Wire names of fields, and the column of the sheet each comes from. */
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

/** What equal mistakes are told apart by; longer texts are no mistakes two rows share. */
const givenMax = 120;
const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/**
 * UUIDv7 by the ten thousand, each greater than the one before, so that they go to the end of an index: random bytes are
 * drawn in blocks, and the twelve bits that count carry into the time, as RFC 9562 allows.
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

/** Each column with a name of its own, so that no cell is lost to another of the same heading. */
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

  /** The complaint together with what the cell said, so that equal mistakes are mended together. */
  const withGiven = (issue: Issue, raw: readonly string[]) => {
    const fieldName = columnsOfField[issue.field];
    const column = fieldName === undefined ? undefined : headings.columnOf[fieldName];
    const given = column === undefined ? undefined : raw[column];
    return given === undefined || given.length > givenMax ? issue : { ...issue, given: textOf(given) };
  };

  /** The last four columns of a row of either kind. */
  const endOf = ({ raw, sheetRow }: CleanRow<unknown>, { errors, warnings }: Checked) => {
    const told = errors.length > 0 ? json(errors.map((issue) => withGiven(issue, raw))) : "\\N";
    // Rows that fit are in the kept file; the cells of the others are needed on the screen.
    const cells = errors.length > 0 ? json(cellsOf(raw)) : "\\N";
    return `${told}\t${warnings.length > 0 ? json(warnings) : "\\N"}\t${sheetRow}\t${cells}`;
  };

  const at = new Date(now).toISOString();
  const marksOf = (guesses: readonly Guess[], corrections: readonly Correction[]) =>
    json([
      ...guesses.map((guess) => ({ ...guess, origin: "guessed", by: null, at }) satisfies DataMark),
      ...corrections.map((one) => ({ ...one, origin: "automatic", by: null, at }) satisfies DataMark),
    ]);

  return {
    /** Each returns what the row adds to the batch. */
    addBillet(position: number, row: CleanRow<BoletoDraft>, kept: BoletoToKeep, checked: Checked): number {
      lines += `${position}\t${newId()}\t${kept.value ?? "\\N"}\t${kept.paymentDate ?? "\\N"}\t${kept.dueDate ?? "\\N"}\t${kept.payableUntil ?? "\\N"}\t${field(kept.barcode)}\t${field(kept.description)}\t${field(kept.integrationId)}\t${endOf(row, checked)}\n`;
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
      lines += `${position}\t${newId()}\t${draft.value ?? "\\N"}\t${method}\t${draft.paymentDate ?? "\\N"}\t${field(draft.integrationId)}\t${field(draft.name)}\t${field(draft.taxId)}\t${field(draft.email)}\t${field(draft.bankIspb)}\t${field(draft.agency)}\t${field(draft.agencyDigit)}\t${field(draft.account)}\t${field(draft.accountDigit)}\t${field(draft.accountType)}\t${field(draft.pixKeyType)}\t${field(draft.pixKey)}\t${field(draft.pixKeyValidation)}\t${field(draft.pixDescription)}\t${endOf(row, issues)}\t${row.guesses.length + corrections.length > 0 ? marksOf(row.guesses, corrections) : "\\N"}\n`;
      return draft.value ?? 0;
    },
    /** The lines so far, as bytes of their own that can be handed to another thread. */
    take(): Uint8Array {
      const bytes = new TextEncoder().encode(lines);
      lines = "";
      return bytes;
    },
  };
}
