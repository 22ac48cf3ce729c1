import { readAccountType, splitDigit } from "@malote/domain/bank-account";
import { readBank } from "@malote/domain/banks";
import { readDate } from "@malote/domain/calendar";
import type { Issue, IssueCode } from "@malote/domain/issues";
import { sheetTextMax } from "@malote/domain/limits";
import { type Cents, parseBrl } from "@malote/domain/money";
import { detectPixKeyType, readPixKeyType } from "@malote/domain/pix-key";
import { normaliseTaxId, suggestTaxId } from "@malote/domain/tax-id";
import type { TransferDraft } from "@malote/domain/transfer";
import { centsOfNumber, numberAsShown, plainNumber } from "./clean-number.ts";
import { cleanDescription, cleanText, cutText } from "./clean-text.ts";
import { removeFormulaGuard } from "./formula-guard.ts";
import type { SheetField, SheetHeadings } from "./headings.ts";
import { cellKind, type SheetRow } from "./sheet-row.ts";

/** A boleto as the sheet gave it; the barcode is read and checked by whoever owns boletos. */
export interface BilletDraft {
  barcode: string | null;
  value: number | null;
  paymentDate: string | null;
  description: string | null;
  integrationId: string | null;
}

export interface CleanRow<Draft> {
  sheetRow: number;
  hidden: boolean;
  /** Every cell of the row as a person sees it, beside `SheetHeadings.texts`. Nothing that was written is lost. */
  raw: string[];
  draft: Draft;
  /**
   * Only what the checks of the domain cannot see from the draft: a cell with a formula error in an optional field.
   * An unreadable value is null and an unreadable date stays as text, so the domain's checks complain about both.
   */
  issues: Issue[];
}

/** Bounds for texts that IMP-016 does not name, so that one broken cell cannot fill the database. */
const otherTextMax = {
  integrationId: 1_000,
  pixKey: 255,
  pixKeyType: 40,
  paymentDate: 40,
  barcode: 120,
  description: 1_000,
  raw: 2_000,
};
const agencyLength = 4;

export function cleanTransferRow(row: SheetRow, { columnOf }: SheetHeadings): CleanRow<TransferDraft> {
  const cells = new RowCells(row, columnOf);
  const agency = splitDigit(
    cells.number("agency", sheetTextMax.agency),
    cells.number("agencyDigit", sheetTextMax.agencyDigit),
  );
  const account = splitDigit(
    cells.number("account", sheetTextMax.account),
    cells.number("accountDigit", sheetTextMax.accountDigit),
  );
  const pixKey = readPixKey(cells);
  const draft: TransferDraft = {
    name: cells.text("name", sheetTextMax.name),
    taxId: repairTaxId(cells.number("taxId", sheetTextMax.taxId)),
    email: cells.text("email", sheetTextMax.email),
    bankIspb: readBank(cells.number("bank", sheetTextMax.name))?.ispb ?? null,
    agency: padAgency(agency.number),
    agencyDigit: agency.digit || null,
    account: account.number || null,
    accountDigit: account.digit || null,
    accountType: readAccountTypeOnce(cells.text("accountType", sheetTextMax.name) ?? ""),
    pixKeyType: pixKey.type,
    pixKey: pixKey.key,
    pixKeyValidation: repairTaxId(cells.number("pixKeyValidation", sheetTextMax.taxId)),
    value: cells.value(),
    paymentDate: cells.date(),
    pixDescription: cells.description("pixDescription", sheetTextMax.pixDescription),
    integrationId: cells.number("integrationId", otherTextMax.integrationId) || null,
  };
  return { sheetRow: row.sheetRow, hidden: row.hidden, raw: rawTexts(row), draft, issues: cells.issues };
}

export function cleanBilletRow(row: SheetRow, { columnOf }: SheetHeadings): CleanRow<BilletDraft> {
  const cells = new RowCells(row, columnOf);
  const draft: BilletDraft = {
    barcode: cells.number("barcode", otherTextMax.barcode) || null,
    value: cells.value(),
    paymentDate: cells.date(),
    description: cells.text("description", otherTextMax.description),
    integrationId: cells.number("integrationId", otherTextMax.integrationId) || null,
  };
  return { sheetRow: row.sheetRow, hidden: row.hidden, raw: rawTexts(row), draft, issues: cells.issues };
}

const noIssues: Issue[] = [];

/** Fields in which `#REF!` would pass as a text. In all others it is no valid content anyway. */
const errorIssues: Partial<Record<SheetField, { code: IssueCode; field: string }>> = {
  name: { code: "name_invalid", field: "name" },
  integrationId: { code: "transfer_invalid", field: "integration_id" },
  pixDescription: { code: "transfer_invalid", field: "pix_description" },
  description: { code: "transfer_invalid", field: "description" },
};

class RowCells {
  issues: Issue[] = noIssues;
  private readonly row: SheetRow;
  private readonly columnOf: SheetHeadings["columnOf"];

  constructor(row: SheetRow, columnOf: SheetHeadings["columnOf"]) {
    this.row = row;
    this.columnOf = columnOf;
  }

  text(field: SheetField, max: number): string | null {
    return cutText(cleanText(this.written(field)), max) || null;
  }

  description(field: SheetField, max: number): string | null {
    return cutText(cleanDescription(this.written(field)), max) || null;
  }

  /** A text that often is a number cell: documents, agencies, accounts, ids. */
  number(field: SheetField, max: number): string {
    const written = this.written(field);
    if (this.kind(field) === cellKind.number) return cutText(plainNumber(written), max);
    return cutText(cleanText(written), max);
  }

  value(): Cents | null {
    const written = this.written("value");
    const amount =
      this.kind("value") === cellKind.number ? centsOfNumber(written) : parseBrl(cleanText(written));
    return amount ?? null;
  }

  date(): string | null {
    const written = cutText(cleanText(this.written("paymentDate")), otherTextMax.paymentDate);
    return written === "" ? null : readDateOnce(written);
  }

  private kind(field: SheetField): number {
    return this.row.kinds[this.columnOf[field] ?? -1] ?? cellKind.text;
  }

  private written(field: SheetField): string {
    const column = this.columnOf[field];
    if (column === undefined) return "";
    const text = this.row.texts[column] ?? "";
    if (this.row.kinds[column] === cellKind.error) {
      const issue = errorIssues[field];
      if (issue !== undefined) this.issues = [...this.issues, { ...issue }];
    }
    return text;
  }
}

function readPixKey(cells: RowCells): { type: string | null; key: string | null } {
  const key = cells.number("pixKey", otherTextMax.pixKey);
  const written = cells.text("pixKeyType", otherTextMax.pixKeyType) ?? "";
  if (key === "" && written === "") return { type: null, key: null };
  // An unknown type stays as written, so the complaint shows what it was. No type is only guessed where one can be right.
  const type =
    written === "" ? (detectPixKeyType(key) ?? null) : (readPixKeyType(written) ?? written.toUpperCase());
  const isDocument = type === "CPF" || type === "CNPJ";
  return { type, key: (isDocument ? repairTaxId(key) : key) || null };
}

/** A number cell loses the zeros at the left of a document; they are put back where only one document can result. */
function repairTaxId(text: string): string | null {
  if (text === "") return null;
  const taxId = normaliseTaxId(text);
  return taxId.length < 14 && taxId.length !== 11 ? (suggestTaxId(taxId) ?? taxId) : taxId;
}

function padAgency(agency: string): string | null {
  if (agency === "") return null;
  return /^\d+$/.test(agency) ? agency.padStart(agencyLength, "0") : agency;
}

function rawTexts({ texts, kinds }: SheetRow): string[] {
  return texts.map((text, column) =>
    kinds[column] === cellKind.number
      ? numberAsShown(text)
      : cutText(removeFormulaGuard(text), otherTextMax.raw),
  );
}

/** A sheet repeats a few dates and types thousands of times; the bound keeps a hostile one from filling the memory. */
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
