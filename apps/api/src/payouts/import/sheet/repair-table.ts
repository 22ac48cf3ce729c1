/** Wrong rows of a draft as a table to repair: in their original columns, with later corrections applied. */
import { accountTypeNames } from "@malote/domain/bank-account";
import { findBankByIspb } from "@malote/domain/banks";
import { type BoletoDraft, normaliseBoleto, storableBoleto } from "@malote/domain/boleto";
import { formatBoletoLine } from "@malote/domain/boleto-code";
import { type CalendarDate, formatDate } from "@malote/domain/calendar";
import { cents, formatAmount } from "@malote/domain/money";
import { formatPixKey } from "@malote/domain/pix-key";
import { formatTaxId } from "@malote/domain/tax-id";
import { normaliseTransfer, storableTransfer, type TransferDraft } from "@malote/domain/transfer";
import type { SheetRow } from "@malote/sheet-reader/sheet-row";
import { boletoCleaner, transferCleaner } from "./clean-cells.ts";
import { headingOf } from "./heading-words.ts";
import { findHeadings, type SheetField, type SheetHeadings } from "./headings.ts";
import { modelHeadings } from "./model-sheets.ts";
import type { ColumnChoice } from "./sheet-layout.ts";

export interface RowToRepair<Draft> {
  /** Cells of the sheet; null for a payment that was typed. */
  cells: Record<string, string> | null;
  /** Current payment. */
  draft: Draft;
}

/** Differences between a sheet of transfers and one of boletos. */
export interface Repair<Draft> {
  /**
   * Groups of fields that are read together: a cell may hold an account with its digit, or a key that implies its type.
   */
  together: readonly (readonly SheetField[])[];
  /** Returns a function that reads a row as an import would store it. */
  reader(headings: SheetHeadings): (row: SheetRow) => Draft;
  heldBy(draft: Draft, field: SheetField): string | number | null;
  /** Returns the text of a field, in a form that a person writes and our own reader reads back. */
  textOf(draft: Draft, field: SheetField): string;
  /** Returns the headings for rows that were all typed. */
  headingsFor(rows: readonly RowToRepair<Draft>[]): string[];
}

export const transferRepair: Repair<TransferDraft> = {
  together: [
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
  ],
  reader(headings) {
    const clean = transferCleaner(headings);
    return (row) => storableTransfer(normaliseTransfer(clean(row).draft));
  },
  heldBy(draft, field) {
    if (field === "bank") return draft.bankIspb;
    return field in draft ? draft[field as keyof TransferDraft] : null;
  },
  textOf: textOfTransfer,
  /**
   * Typed payments use the model of their kind. A mixture uses the model of accounts, to which `repairTable` adds the
   * columns of keys.
   */
  headingsFor(rows) {
    const byKey = rows.filter(({ draft }) => draft.pixKey !== null || draft.pixKeyType !== null);
    return modelHeadings(byKey.length === rows.length ? "transfer-pix" : "transfer");
  },
};

/** Returns the repair of boletos, whose codes are read as of `today`. */
export const boletoRepair = (today: CalendarDate): Repair<BoletoDraft> => ({
  together: [["barcode"], ["value"], ["paymentDate"], ["description"], ["integrationId"]],
  reader(headings) {
    const clean = boletoCleaner(headings);
    return (row) => storableBoleto(normaliseBoleto(clean(row).draft, today), today);
  },
  heldBy: (draft, field) => (field in draft ? draft[field as keyof BoletoDraft] : null),
  textOf(draft, field) {
    if (field === "barcode") return formatBoletoLine(draft.barcode ?? "");
    if (field === "value" || field === "paymentDate") return textOfBoth(draft, field);
    return String(field in draft ? (draft[field as keyof BoletoDraft] ?? "") : "");
  },
  headingsFor: () => modelHeadings("billet"),
});

/** Returns the table. A cell that still matches the payment stays as written; only changed fields are written anew. */
export function repairTable<Draft>(
  rows: readonly RowToRepair<Draft>[],
  { together, reader, heldBy, textOf, headingsFor }: Repair<Draft>,
  /** Mapping of the sheet's columns, when a person or the cells themselves decided it. */
  columns?: ColumnChoice,
): { headings: string[]; rows: string[][] } {
  const sheetCells = rows.find((row) => row.cells)?.cells;
  const headings = sheetCells ? Object.keys(sheetCells) : headingsFor(rows);
  const known = readHeadings(headings, sheetCells ? columns : undefined);
  const read = reader(known);
  const columnOf = { ...known.columnOf };
  const columnFor = (field: SheetField) => {
    columnOf[field] ??= headings.push(headingOf[field]) - 1;
    return columnOf[field];
  };
  const written = rows.map(({ cells, draft }) => {
    const texts = headings.map((heading) => cells?.[heading] ?? "");
    const before = read(sheetRow(texts));
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

const sheetRow = (texts: string[]): SheetRow => ({ sheetRow: 1, hidden: false, texts, kinds: [] });

function readHeadings(texts: string[], chosen: ColumnChoice | undefined): SheetHeadings {
  const headings = findHeadings([sheetRow(texts)], { chosen });
  if (!headings) throw new Error("the headings of a sheet that was imported do not fit any more");
  return headings;
}

function textOfBoth(
  { value, paymentDate }: { value: number | null; paymentDate: string | null },
  field: "value" | "paymentDate",
): string {
  if (field === "value") return value === null ? "" : formatAmount(cents(value));
  return paymentDate ? formatDate(paymentDate as CalendarDate) : "";
}

function textOfTransfer(draft: TransferDraft, field: SheetField): string {
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
    case "paymentDate":
      return textOfBoth(draft, field);
    default:
      return String(transferRepair.heldBy(draft, field) ?? "");
  }
}
