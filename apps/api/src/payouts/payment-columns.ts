/**
 * Columns of a payment that people write: the one list that SELECT, INSERT, UPDATE, COPY, corrections and the
 * fingerprint of an approval follow. A new field of a draft is a line in `fields`.
 */
import type { BatchType } from "@malote/domain/batch-status";
import type { BoletoToKeep } from "@malote/domain/boleto";
import type { Issue } from "@malote/domain/issues";
import type { TransferDraft } from "@malote/domain/transfer";

/** Kinds of payment, under the names that batches use. */
export type PaymentKind = BatchType;

/** Draft of each kind in its stored form. */
interface Drafts {
  TRANSFER: TransferDraft;
  BILLET: BoletoToKeep;
}

const fieldsOfEvery = {
  value: { field: "value", type: "bigint" },
  payment_date: { field: "paymentDate", type: "date" },
  integration_id: { field: "integrationId", type: "text" },
} as const;

/** Columns that hold a field of the draft. */
const fields = {
  TRANSFER: {
    ...fieldsOfEvery,
    name: { field: "name", type: "text" },
    tax_id: { field: "taxId", type: "text" },
    email: { field: "email", type: "text" },
    bank_ispb: { field: "bankIspb", type: "text" },
    agency: { field: "agency", type: "text" },
    agency_digit: { field: "agencyDigit", type: "text" },
    account: { field: "account", type: "text" },
    account_digit: { field: "accountDigit", type: "text" },
    account_type: { field: "accountType", type: "text" },
    pix_key_type: { field: "pixKeyType", type: "text" },
    pix_key: { field: "pixKey", type: "text" },
    pix_key_validation: { field: "pixKeyValidation", type: "text" },
    pix_description: { field: "pixDescription", type: "text" },
  },
  BILLET: {
    ...fieldsOfEvery,
    barcode: { field: "barcode", type: "text" },
    due_date: { field: "dueDate", type: "date" },
    description: { field: "description", type: "text" },
  },
} as const satisfies { [K in PaymentKind]: Record<string, { field: keyof Drafts[K]; type: string }> };

/** Columns that the product computes or that describe the payment. */
const others = {
  id: { type: "uuid" },
  position: { type: "int" },
  payment_method: { type: "text" },
  emv: { type: "text" },
  emv_data: { type: "jsonb" },
  emv_location: { type: "text" },
  emv_until: { type: "timestamptz" },
  payable_until: { type: "date" },
  errors: { type: "jsonb" },
  warnings: { type: "jsonb" },
  data_marks: { type: "jsonb" },
  sheet_row: { type: "int" },
  // The type is not jsonb, which would sort the columns of the file.
  sheet_cells: { type: "json" },
} as const;

/** PostgreSQL type of each column. */
export const columnTypes = { ...others, ...fields.TRANSFER, ...fields.BILLET };
export type Column = keyof typeof columnTypes;

type Fields = typeof fields;
type FieldColumn<K extends PaymentKind> = keyof Fields[K] & Column;
/** Column that holds a field of a draft, of either kind. */
export type PaymentField = { [K in PaymentKind]: FieldColumn<K> }[PaymentKind];
type FieldOf<K extends PaymentKind, C extends FieldColumn<K>> = Fields[K][C] extends {
  field: infer F extends keyof Drafts[K];
}
  ? F
  : never;

/** Issue as it is stored: with the text of the cell, so that equal mistakes can be corrected together. */
export type StoredIssue = Issue & { given?: string };

/** Columns of a row that hold the fields of its draft. */
export type FieldRow<K extends PaymentKind> = { [C in FieldColumn<K>]: Drafts[K][FieldOf<K, C>] };
/** Fields of a draft that columns hold. */
export type DraftFields<K extends PaymentKind> = Pick<Drafts[K], FieldOf<K, FieldColumn<K>>>;

const namesOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];

export const fieldColumns = {
  TRANSFER: namesOf(fields.TRANSFER),
  BILLET: namesOf(fields.BILLET),
} as const;

const code = ["emv", "emv_data", "emv_location", "emv_until"] as const satisfies readonly Column[];
const findings = ["errors", "warnings"] as const satisfies readonly Column[];

export const writtenColumns = {
  TRANSFER: [...fieldColumns.TRANSFER, "payment_method", ...code, ...findings, "data_marks"],
  BILLET: [...fieldColumns.BILLET, "payment_method", "payable_until", ...findings, "data_marks"],
} as const satisfies Record<PaymentKind, readonly Column[]>;

/** Columns in the order of a COPY line. A sheet has no Pix codes. */
export const importedColumns = {
  TRANSFER: [
    ...(["position", "id", ...fieldColumns.TRANSFER, "payment_method", ...findings] as const),
    ...(["data_marks", "sheet_row", "sheet_cells"] as const),
  ],
  BILLET: ["position", "id", ...writtenColumns.BILLET, "sheet_row", "sheet_cells"],
} as const satisfies Record<PaymentKind, readonly Column[]>;

/**
 * Columns that describe a payment or derive from the others. An approval is bound to all other columns (ruling D21).
 */
export const unapprovedColumns: ReadonlySet<string> = new Set([
  ...[...findings, "data_marks", "payable_until", "emv_location", "emv_until"],
]);

export type WrittenPayment<K extends PaymentKind> = { id: string } & Record<
  (typeof writtenColumns)[K][number],
  unknown
>;
/** Columns of a COPY line beside the draft's, each in COPY's own text form. */
export type ImportedPayment<K extends PaymentKind> = Record<
  Exclude<(typeof importedColumns)[K][number], FieldColumn<K>>,
  string
>;

/** Failed payment as it would be resent: the values to write over its row. */
export interface ResendRecord {
  id: string;
  record: object;
}

const pairsOf = (table: Readonly<Record<string, { field: string }>>) =>
  Object.entries(table).map(([column, { field }]) => [column, field] as const);
const pairs = { TRANSFER: pairsOf(fields.TRANSFER), BILLET: pairsOf(fields.BILLET) };

/** Returns the draft's fields that a row holds. */
export function fieldsOfRow<K extends PaymentKind>(kind: K, row: FieldRow<K>): DraftFields<K> {
  const held: Readonly<Record<string, unknown>> = row;
  return Object.fromEntries(pairs[kind].map(([column, field]) => [field, held[column]])) as DraftFields<K>;
}

/** Returns the columns that hold a draft's fields. */
export function columnsOfDraft<K extends PaymentKind>(kind: K, draft: DraftFields<K>): FieldRow<K> {
  const held: Readonly<Record<string, unknown>> = draft;
  return Object.fromEntries(pairs[kind].map(([column, field]) => [column, held[field]])) as FieldRow<K>;
}

/** Returns the field of the draft that a column holds; undefined for any other column. */
export const fieldOfColumn = (kind: PaymentKind, column: string): string | undefined =>
  pairs[kind].find(([own]) => own === column)?.[1];
