import { readAccountType, splitDigit } from "@malote/domain/bank-account";
import { readBank } from "@malote/domain/banks";
import type { BoletoDraft } from "@malote/domain/boleto";
import { readDate } from "@malote/domain/calendar";
import type { Issue, IssueCode } from "@malote/domain/issues";
import { boletoCodeTypedMax, sheetTextMax } from "@malote/domain/limits";
import { type Cents, parseBrl } from "@malote/domain/money";
import { detectPixKeyType, readPixKeyType } from "@malote/domain/pix-key";
import { normaliseTaxId, suggestTaxId } from "@malote/domain/tax-id";
import type { TransferDraft } from "@malote/domain/transfer";
import { removeFormulaGuard } from "@malote/sheet-reader/formula-guard";
import { cellKind, type SheetRow } from "@malote/sheet-reader/sheet-row";
import { centsOfNumber, numberAsShown, plainNumber } from "./clean-number.ts";
import { cleanDescription, cleanText, cutText } from "./clean-text.ts";
import { headingOf } from "./heading-words.ts";
import type { SheetField, SheetHeadings } from "./headings.ts";

export interface CleanRow<Draft> {
  sheetRow: number;
  hidden: boolean;
  /** Every cell of the row as a person sees it, in the order of `SheetHeadings.texts`. No written cell is lost. */
  raw: string[];
  draft: Draft;
  /**
   * Issues that the domain's checks cannot see in the draft: a formula error in an optional field. An unreadable value
   * is null and an unreadable date stays text, so the domain's checks report both.
   */
  issues: Issue[];
  /** Values that the reading repaired automatically, for a person to confirm. */
  guesses: readonly Guess[];
}

/** Field by its wire name, with the written text and the repaired one. */
export interface Guess {
  field: string;
  before: string;
  after: string;
}

/** Maximum lengths of texts that IMP-016 does not name, so that one broken cell cannot fill the database. */
const otherTextMax = {
  integrationId: 1_000,
  pixKey: 255,
  pixKeyType: 40,
  paymentDate: 40,
  barcode: boletoCodeTypedMax,
  description: 1_000,
  raw: 2_000,
};
const agencyLength = 4;

/**
 * Returns a function that cleans the rows of a sheet. It is made once per sheet, because finding a column by the
 * field's name for each cell costs more than cleaning it.
 */
export function transferCleaner(
  headings: Pick<SheetHeadings, "columnOf">,
): (row: SheetRow) => CleanRow<TransferDraft> {
  const columns = columnsOf(headings);
  return (row) => {
    const cells = new RowCells(row);
    const agency = splitNumber(
      cells.number(columns.agency, sheetTextMax.agency),
      cells.number(columns.agencyDigit, sheetTextMax.agencyDigit),
    );
    const account = splitNumber(
      cells.number(columns.account, sheetTextMax.account),
      cells.number(columns.accountDigit, sheetTextMax.accountDigit),
    );
    const pixKey = readPixKey(cells, columns);
    cells.noticeErrors(columns.name, "name_invalid", "name");
    cells.noticeErrors(columns.integrationId, "transfer_invalid", "integration_id");
    cells.noticeErrors(columns.pixDescription, "transfer_invalid", "pix_description");
    const draft: TransferDraft = {
      name: cells.text(columns.name, sheetTextMax.name),
      taxId: cells.taxId(columns.taxId, sheetTextMax.taxId, "cpf_cnpj"),
      email: cells.text(columns.email, sheetTextMax.email),
      bankIspb: readBank(cells.number(columns.bank, sheetTextMax.name))?.ispb ?? null,
      agency: padAgency(agency.number),
      agencyDigit: agency.digit || null,
      account: account.number || null,
      accountDigit: account.digit || null,
      accountType: readAccountTypeOnce(cells.text(columns.accountType, sheetTextMax.name) ?? ""),
      pixKeyType: pixKey.type,
      pixKey: pixKey.key,
      pixKeyValidation: cells.taxId(columns.pixKeyValidation, sheetTextMax.taxId, "pix_key_validation"),
      value: cells.value(columns.value),
      paymentDate: cells.date(columns.paymentDate),
      pixDescription: cells.description(columns.pixDescription, sheetTextMax.pixDescription),
      integrationId: cells.number(columns.integrationId, otherTextMax.integrationId) || null,
    };
    return {
      sheetRow: row.sheetRow,
      hidden: row.hidden,
      raw: rawTexts(row),
      draft,
      issues: cells.issues,
      guesses: cells.guesses,
    };
  };
}

export function boletoCleaner(
  headings: Pick<SheetHeadings, "columnOf">,
): (row: SheetRow) => CleanRow<BoletoDraft> {
  const columns = columnsOf(headings);
  return (row) => {
    const cells = new RowCells(row);
    cells.noticeErrors(columns.integrationId, "billet_cell_invalid", "integration_id");
    cells.noticeErrors(columns.description, "billet_cell_invalid", "description");
    const draft: BoletoDraft = {
      barcode: cells.number(columns.barcode, otherTextMax.barcode) || null,
      value: cells.value(columns.value),
      paymentDate: cells.date(columns.paymentDate),
      description: cells.text(columns.description, otherTextMax.description),
      integrationId: cells.number(columns.integrationId, otherTextMax.integrationId) || null,
    };
    return {
      sheetRow: row.sheetRow,
      hidden: row.hidden,
      raw: rawTexts(row),
      draft,
      issues: cells.issues,
      guesses: cells.guesses,
    };
  };
}

function amountIn({ texts, kinds }: SheetRow, column: number): Cents | null {
  const written = column >= 0 && column < texts.length ? (texts[column] as string) : "";
  return (kinds[column] === cellKind.number ? centsOfNumber(written) : parseBrl(cleanText(written))) ?? null;
}

/**
 * Returns the amount of a row: from its own column, or from the first cell with an amount when the sheet has no such
 * column.
 */
export function amountOf(row: SheetRow, column: number | undefined): Cents | null {
  if (column !== undefined) return amountIn(row, column);
  const at = row.texts.findIndex((_, cell) => amountIn(row, cell) !== null);
  return at < 0 ? null : amountIn(row, at);
}

type Columns = Record<SheetField, number>;

/** Returns the column of each field; -1 for a field without a column, where no row has a cell. */
function columnsOf({ columnOf }: Pick<SheetHeadings, "columnOf">): Columns {
  const fields = Object.keys(headingOf) as SheetField[];
  return Object.fromEntries(fields.map((field) => [field, columnOf[field] ?? -1])) as Columns;
}

const noIssues: Issue[] = [];
const noGuesses: Guess[] = [];

class RowCells {
  issues: Issue[] = noIssues;
  guesses: Guess[] = noGuesses;
  private readonly row: SheetRow;

  constructor(row: SheetRow) {
    this.row = row;
  }

  /**
   * Adds an issue for a formula error, for fields in which `#REF!` would pass as text. All other fields refuse it as
   * invalid content.
   */
  noticeErrors(column: number, code: IssueCode, field: string): void {
    if (this.row.kinds[column] === cellKind.error) this.issues = [...this.issues, { code, field }];
  }

  text(column: number, max: number): string | null {
    return cutText(cleanText(this.written(column)), max) || null;
  }

  description(column: number, max: number): string | null {
    return cutText(cleanDescription(this.written(column)), max) || null;
  }

  /** Returns a text that is often a number cell: documents, agencies, accounts, ids. */
  number(column: number, max: number): string {
    const written = this.written(column);
    const isNumber = this.row.kinds[column] === cellKind.number;
    return cutText(isNumber ? plainNumber(written) : cleanText(written), max);
  }

  taxId(column: number, max: number, field: string): string | null {
    return this.repair(this.number(column, max), field);
  }

  /** Restores the leading zeros that a number cell loses from a document, when only one document can result. */
  repair(text: string, field: string): string | null {
    if (text === "") return null;
    const taxId = normaliseTaxId(text);
    if (taxId.length >= 14 || taxId.length === 11) return taxId;
    const whole = suggestTaxId(taxId);
    if (whole === undefined) return taxId;
    this.guesses = [...this.guesses, { field, before: text, after: whole }];
    return whole;
  }

  value(column: number): Cents | null {
    return amountIn(this.row, column);
  }

  date(column: number): string | null {
    const written = cutText(cleanText(this.written(column)), otherTextMax.paymentDate);
    return written === "" ? null : readDateOnce(written);
  }

  private written(column: number): string {
    const { texts } = this.row;
    return column >= 0 && column < texts.length ? (texts[column] as string) : "";
  }
}

const onlyDigits = /^\d*$/;

/** Separates a number from its check digit; skips the work for cells with only digits, which are most. */
function splitNumber(number: string, digit: string): { number: string; digit: string } {
  return onlyDigits.test(number) && onlyDigits.test(digit) ? { number, digit } : splitDigit(number, digit);
}

function readPixKey(cells: RowCells, columns: Columns): { type: string | null; key: string | null } {
  const key = cells.number(columns.pixKey, otherTextMax.pixKey);
  const written = cells.text(columns.pixKeyType, otherTextMax.pixKeyType) ?? "";
  if (key === "" && written === "") return { type: null, key: null };
  // An unknown type stays as written, so that the issue shows it. A missing type is inferred only when exactly one
  // fits.
  const type =
    written === "" ? (detectPixKeyType(key) ?? null) : (readPixKeyType(written) ?? written.toUpperCase());
  const isDocument = type === "CPF" || type === "CNPJ";
  return { type, key: (isDocument ? cells.repair(key, "pix_key") : key) || null };
}

function padAgency(agency: string): string | null {
  if (agency === "") return null;
  return /^\d+$/.test(agency) ? agency.padStart(agencyLength, "0") : agency;
}

function rawTexts({ texts, kinds }: SheetRow): string[] {
  return texts.map((text, column) => {
    if (kinds[column] === cellKind.number) return numberAsShown(text);
    const needsWork = text.length > otherTextMax.raw || text.includes("'");
    return needsWork ? cutText(removeFormulaGuard(text), otherTextMax.raw) : text;
  });
}

/**
 * Caches the results of `read`: a sheet repeats a few dates and types thousands of times. The bound keeps a hostile
 * sheet from filling the memory.
 */
function remember<Answer>(read: (text: string) => Answer): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const answer = read(text);
    if (known.size >= 1_000) known.clear();
    known.set(text, answer);
    return answer;
  };
}

const timeOfDay = /[ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?$/;

const readDateOnce = remember((text) => readDate(text.replace(timeOfDay, "")) ?? text);
const readAccountTypeOnce = remember((text) => readAccountType(text) ?? null);
