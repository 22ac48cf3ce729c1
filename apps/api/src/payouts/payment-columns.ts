/**
 * Columns of a payment that people write: the one list that INSERT, UPDATE, COPY, corrections and the fingerprint of an
 * approval follow. A new column is a line in `types` and one in the kind that has it.
 */
import { type RawBuilder, sql } from "kysely";

/** Kinds of payment, under the names that batches use. */
export type PaymentKind = "TRANSFER" | "BILLET";

const types = {
  id: "uuid",
  position: "int",
  value: "bigint",
  payment_method: "text",
  payment_date: "date",
  integration_id: "text",
  name: "text",
  tax_id: "text",
  email: "text",
  bank_ispb: "text",
  agency: "text",
  agency_digit: "text",
  account: "text",
  account_digit: "text",
  account_type: "text",
  pix_key_type: "text",
  pix_key: "text",
  pix_key_validation: "text",
  pix_description: "text",
  emv: "text",
  emv_data: "jsonb",
  emv_location: "text",
  emv_until: "timestamptz",
  barcode: "text",
  due_date: "date",
  payable_until: "date",
  description: "text",
  errors: "jsonb",
  warnings: "jsonb",
  data_marks: "jsonb",
  sheet_row: "int",
  // The type is not jsonb, which would sort the columns of the file.
  sheet_cells: "json",
} as const;
type Column = keyof typeof types;

const destination = [
  ...["name", "tax_id", "email", "bank_ispb", "agency", "agency_digit", "account", "account_digit"],
  ...["account_type", "pix_key_type", "pix_key", "pix_key_validation", "pix_description"],
] as const satisfies readonly Column[];
const code = ["emv", "emv_data", "emv_location", "emv_until"] as const satisfies readonly Column[];
const every = [
  "value",
  "payment_method",
  "payment_date",
  "integration_id",
] as const satisfies readonly Column[];
const findings = ["errors", "warnings"] as const satisfies readonly Column[];

export const writtenColumns = {
  TRANSFER: [...every, ...destination, ...code, ...findings, "data_marks"],
  BILLET: [...every, "barcode", "due_date", "payable_until", "description", ...findings, "data_marks"],
} as const satisfies Record<PaymentKind, readonly Column[]>;

/** Columns in the order of a COPY line. A sheet has no Pix codes. */
export const importedColumns = {
  TRANSFER: [
    ...(["position", "id", ...every, ...destination, ...findings] as const),
    ...(["data_marks", "sheet_row", "sheet_cells"] as const),
  ],
  BILLET: ["position", "id", ...writtenColumns.BILLET, "sheet_row", "sheet_cells"],
} as const satisfies Record<PaymentKind, readonly Column[]>;

/**
 * Columns that describe a payment or derive from the others. An approval is bound to all other columns (decision 21).
 */
export const unapprovedColumns: ReadonlySet<string> = new Set([
  ...[...findings, "data_marks", "payable_until", "emv_location", "emv_until"],
]);

export type WrittenPayment<K extends PaymentKind> = { id: string } & Record<
  (typeof writtenColumns)[K][number],
  unknown
>;
/** Fields of a COPY line, each in COPY's own text form. */
export type ImportedPayment<K extends PaymentKind> = Record<(typeof importedColumns)[K][number], string>;

/** Failed payment as it would be resent: the values to write over its row. */
export interface SentAgain {
  id: string;
  record: object;
}

/** Returns a list like `name, tax_id`. */
export const columnList = (columns: readonly Column[]): RawBuilder<unknown> => sql.raw(columns.join(", "));
/** Returns definitions like `name text, tax_id text`, for a recordset or a table. */
export const columnDefinitions = (columns: readonly Column[]): RawBuilder<unknown> =>
  sql.raw(columns.map((column) => `${column} ${types[column]}`).join(", "));
/** Returns assignments like `name = given.name, tax_id = given.tax_id`. */
export const assignments = (columns: readonly Column[]): RawBuilder<unknown> =>
  sql.raw(columns.map((column) => `${column} = given.${column}`).join(", "));
