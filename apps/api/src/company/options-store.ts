/** Options of a company that the installation's operator sets, and the list of companies. */
import type { CompanyOptions } from "@malote/contracts/installation";
import { sql } from "kysely";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";

/** Options with a column of their own; all others are stored in the company's settings. */
export const optionColumns = [
  "blocked",
  "accepted_contract",
  "permissions",
  "feature_flags",
  "payment_price",
] as const;
type OptionColumn = (typeof optionColumns)[number];

/** Returns the columns and the settings, and locks the company's row to the end of the transaction. */
export async function lockOptions(
  tx: Tx,
): Promise<Pick<CompanyOptions, OptionColumn> & { settings: Record<string, unknown> }> {
  return onlyRow(
    await sql<Pick<CompanyOptions, OptionColumn> & { settings: Record<string, unknown> }>`
      SELECT blocked, accepted_contract, permissions, feature_flags, payment_price, settings
      FROM companies WHERE company_id = ${tx.companyId} FOR NO KEY UPDATE
    `.execute(tx),
  );
}

/** Writes all columns, and the named settings. */
export async function saveOptions(
  tx: Tx,
  after: Pick<CompanyOptions, OptionColumn>,
  settings: object,
): Promise<void> {
  await sql`
    UPDATE companies SET blocked = ${after.blocked}, accepted_contract = ${after.accepted_contract},
      permissions = ${[...after.permissions]}, feature_flags = ${after.feature_flags},
      payment_price = ${after.payment_price}, settings = settings || ${JSON.stringify(settings)}::jsonb
    WHERE company_id = ${tx.companyId}
  `.execute(tx);
}

/** Returns the company's own price per payment; null when the general one applies. */
export async function findOwnPrice(tx: Tx): Promise<number | null> {
  return onlyRow(
    await sql<{ own: number | null }>`
      SELECT payment_price AS own FROM companies WHERE company_id = ${tx.companyId}
    `.execute(tx),
  ).own;
}

export interface NamedCompany {
  id: string;
  name: string;
  tax_id: string;
}

export async function listCompanies(tx: AnyTx): Promise<NamedCompany[]> {
  const { rows } = await sql<NamedCompany>`
    SELECT company_id AS id, name, tax_id FROM companies ORDER BY created_at, company_id
  `.execute(tx);
  return rows;
}
