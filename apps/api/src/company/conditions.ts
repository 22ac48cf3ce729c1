/** Companies and blocked documents in the statements of other features: conditions, joins and columns as SQL. */
import { payoutFunctionOf } from "@malote/domain/suspended-functions";
import { type RawBuilder, sql } from "kysely";
import type { AnyTx } from "../platform/db/database.ts";

/**
 * SQL condition on a company `c`: true unless it is blocked. Background work uses it, so that blocked work resumes when
 * the block ends.
 */
export const sqlMayPay = sql`NOT c.blocked`;

/** SQL version of `isSuspended` in the domain, for a company `c`; true when the function is active. */
export const sqlHolds = (one: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(c.permissions && ARRAY['all', ${one}])`;

const sqlFunctionOf = (method: RawBuilder<unknown>) =>
  sql`CASE ${method} ${sql.join(
    Object.entries(payoutFunctionOf).map(
      ([method, one]) => sql`WHEN ${sql.lit(method)} THEN ${sql.lit(one)}`,
    ),
    sql` `,
  )} END`;

/**
 * SQL condition on a payment of company `c` by this method: true when it may leave. Otherwise it waits until the block
 * or suspension ends.
 */
export const sqlMayLeave = (method: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${sqlMayPay} AND ${sqlHolds(sqlFunctionOf(method))})`;

/** Every company of the transaction, as `c`. */
export const sqlCompanies = sql`companies c`;

/** Joins the company of a row as `c`; a condition may follow after AND. */
export const sqlJoinCompany = (row: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`JOIN companies c ON c.company_id = ${row}.company_id`;

/** A value computed from the company `c` of a row. */
export const sqlOfCompany = <T>(row: RawBuilder<unknown>, value: RawBuilder<T>): RawBuilder<T> =>
  sql`(SELECT ${value} FROM companies c WHERE c.company_id = ${row}.company_id)`;

/** The name of a row's company; null where the row has no company. */
export const sqlNameOf = (row: RawBuilder<unknown>): RawBuilder<string | null> =>
  sqlOfCompany(row, sql`c.name`);

/** The agency and account number of a row's company at the provider, as json. */
export const sqlAccountOf = (row: RawBuilder<unknown>): RawBuilder<unknown> =>
  sqlOfCompany(
    row,
    sql`jsonb_build_object('agency', c.account_agency, 'account', c.account_number || '-' || c.account_digit)`,
  );

/** The CPFs and CNPJs that may not be paid, as a query of one column. */
export const sqlBlockedTaxIds = sql`SELECT tax_id FROM blocked_tax_ids`;

/** Lists the companies `c` that meet a condition: those for which background work has something to do. */
export async function listCompaniesWhere(tx: AnyTx, condition: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ company_id: string }>`
    SELECT c.company_id FROM companies c WHERE ${condition}
  `.execute(tx);
  return rows.map((row) => row.company_id);
}
