/** The wrong rows of a draft as a table to repair: in the columns they came in, and with what was mended since. */
import { accountTypeNames } from "@malote/domain/bank-account";
import { findBankByIspb } from "@malote/domain/banks";
import { type CalendarDate, formatDate } from "@malote/domain/calendar";
import { cents, formatAmount } from "@malote/domain/money";
import { formatPixKey } from "@malote/domain/pix-key";
import { formatTaxId } from "@malote/domain/tax-id";
import { normaliseTransfer, storableTransfer, type TransferDraft } from "@malote/domain/transfer";
import { transferCleaner } from "./clean-cells.ts";
import { findHeadings, headingOf, type SheetField, type SheetHeadings } from "./headings.ts";
import { modelHeadings } from "./model-sheets.ts";
import type { SheetRow } from "./sheet-row.ts";

export interface RowToRepair {
  /** As they were in the sheet; null for a payment that was typed. */
  cells: Record<string, string> | null;
  /** As it is now. */
  draft: TransferDraft;
}

/** Fields that are only understood together: a cell may hold an account with its digit, or a key that names its type. */
const together: readonly (readonly SheetField[])[] = [
  ["name"],
  ["taxId"],
  ["email"],
  ["bank"],
  ["agency", "agencyDigit"],
  ["account", "accountDigit"],
  ["accountType"],
  ["pixKeyType", "pixKey"],
  ["pixKeyValidation"],
  ["value"],
  ["paymentDate"],
  ["pixDescription"],
  ["integrationId"],
];

/** A cell that still says what the payment is stays as it was written; only what was changed since is written anew. */
export function repairTable(rows: readonly RowToRepair[]): { headings: string[]; rows: string[][] } {
  const sheetCells = rows.find((row) => row.cells)?.cells;
  const headings = sheetCells ? Object.keys(sheetCells) : headingsFor(rows);
  const known = readHeadings(headings);
  const clean = transferCleaner(known);
  const columnOf = { ...known.columnOf };
  const columnFor = (field: SheetField) => {
    columnOf[field] ??= headings.push(headingOf[field]) - 1;
    return columnOf[field];
  };
  const written = rows.map(({ cells, draft }) => {
    const texts = headings.map((heading) => cells?.[heading] ?? "");
    const before = storableTransfer(normaliseTransfer(clean(sheetRow(texts)).draft));
    for (const fields of together) {
      if (fields.every((field) => heldBy(before, field) === heldBy(draft, field))) continue;
      for (const field of fields) {
        const text = textOf(draft, field);
        if (text !== "" || columnOf[field] !== undefined) texts[columnFor(field)] = text;
      }
    }
    return texts;
  });
  return { headings, rows: written.map((texts) => headings.map((_, column) => texts[column] ?? "")) };
}

/** Typed payments come in the model of their kind; when there are both kinds, with the columns of both. */
function headingsFor(rows: readonly RowToRepair[]): string[] {
  const byKey = rows.filter(({ draft }) => draft.pixKey !== null || draft.pixKeyType !== null);
  return modelHeadings(byKey.length === rows.length ? "transfer-pix" : "transfer");
}

const sheetRow = (texts: string[]): SheetRow => ({ sheetRow: 1, hidden: false, texts, kinds: [] });

function readHeadings(texts: string[]): SheetHeadings {
  const headings = findHeadings([sheetRow(texts)]);
  if (!headings) throw new Error("the headings of a sheet that was imported do not fit any more");
  return headings;
}

const heldBy = (draft: TransferDraft, field: SheetField): string | number | null => {
  if (field === "bank") return draft.bankIspb;
  return field in draft ? draft[field as keyof TransferDraft] : null;
};

/** As a person writes it, and as our own reader reads it back. */
function textOf(draft: TransferDraft, field: SheetField): string {
  switch (field) {
    case "taxId":
      return draft.taxId ? formatTaxId(draft.taxId) : "";
    case "pixKeyValidation":
      return draft.pixKeyValidation ? formatTaxId(draft.pixKeyValidation) : "";
    case "bank": {
      const bank = draft.bankIspb ? findBankByIspb(draft.bankIspb) : undefined;
      return bank?.code ?? bank?.name ?? "";
    }
    case "accountType":
      return accountTypeNames[draft.accountType as keyof typeof accountTypeNames] ?? draft.accountType ?? "";
    case "pixKey":
      return draft.pixKey && draft.pixKeyType
        ? formatPixKey(draft.pixKeyType, draft.pixKey)
        : (draft.pixKey ?? "");
    case "value":
      return draft.value === null ? "" : formatAmount(cents(draft.value));
    case "paymentDate":
      return draft.paymentDate ? formatDate(draft.paymentDate as CalendarDate) : "";
    default:
      return String(heldBy(draft, field) ?? "");
  }
}
