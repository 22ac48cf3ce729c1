/** Columns of payments as parts of SQL statements. The child process that reads sheets does without them and Kysely. */
import { type RawBuilder, sql } from "kysely";
import { type Column, columnTypes, type PaymentKind } from "./payment-columns.ts";

/** Returns a list like `name, tax_id`. */
export const columnList = (columns: readonly Column[]): RawBuilder<unknown> => sql.raw(columns.join(", "));
/** Returns a list like `t.name, t.tax_id`. */
export const columnsOfTransfers = (columns: readonly Column[]): RawBuilder<unknown> =>
  sql.raw(columns.map((column) => `t.${column}`).join(", "));
/** Returns definitions like `name text, tax_id text`, for a recordset or a table. */
export const columnDefinitions = (columns: readonly Column[]): RawBuilder<unknown> =>
  sql.raw(columns.map((column) => `${column} ${columnTypes[column].type}`).join(", "));
/** Returns assignments like `name = given.name, tax_id = given.tax_id`. */
export const assignments = (columns: readonly Column[]): RawBuilder<unknown> =>
  sql.raw(columns.map((column) => `${column} = given.${column}`).join(", "));

/** SQL condition for payments `t` of each kind; `BILLET` is the one method of boletos. */
export const sqlIsOfKind = {
  TRANSFER: sql`t.payment_method <> 'BILLET'`,
  BILLET: sql`t.payment_method = 'BILLET'`,
} satisfies Record<PaymentKind, RawBuilder<unknown>>;

/** SQL for the destination of a row `t` of payments or receivers, in the form that the index of receivers compares. */
export const sqlDestination = sql`receiver_destination(t.pix_key_type, t.pix_key, t.bank_ispb, t.agency, t.account,
  t.account_digit, t.account_type, t.tax_id)`;
