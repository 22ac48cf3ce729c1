/**
 * Options of a company that the installation's operator reads and changes. Each change is recorded in the company's
 * audit trail.
 */
import { type CompanyOptions, companyOptions } from "@malote/contracts/installation";
import { auditChanges } from "@malote/domain/audit-trail";
import { sql } from "kysely";
import { audit } from "../platform/audit.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";

/** Options with a column of their own; the others are in the company's settings. */
const columns = ["blocked", "accepted_contract", "permissions", "feature_flags", "payment_price"] as const;
type Column = (typeof columns)[number];
const isColumn = (name: string): name is Column => (columns as readonly string[]).includes(name);

export async function readCompanyOptions(tx: Tx): Promise<CompanyOptions> {
  const { settings, ...own } = onlyRow(
    await sql<Pick<CompanyOptions, Column> & { settings: Record<string, unknown> }>`
      SELECT blocked, accepted_contract, permissions, feature_flags, payment_price, settings
      FROM companies WHERE company_id = ${tx.companyId} FOR NO KEY UPDATE
    `.execute(tx),
  );
  return companyOptions.parse({ ...settings, ...own });
}

/** Changes the given options and returns all options afterwards. */
export async function changeCompanyOptions(
  tx: Tx,
  given: Partial<CompanyOptions>,
  now: Date,
): Promise<CompanyOptions> {
  const before = await readCompanyOptions(tx);
  const after = { ...before, ...given };
  const names = (Object.keys(given) as (keyof CompanyOptions)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return before;
  const pick = (from: CompanyOptions) => Object.fromEntries(names.map((name) => [name, from[name]]));
  const settings = Object.fromEntries(Object.entries(pick(after)).filter(([name]) => !isColumn(name)));
  await sql`
    UPDATE companies SET blocked = ${after.blocked}, accepted_contract = ${after.accepted_contract},
      permissions = ${[...after.permissions]}, feature_flags = ${after.feature_flags},
      payment_price = ${after.payment_price}, settings = settings || ${JSON.stringify(settings)}::jsonb
    WHERE company_id = ${tx.companyId}
  `.execute(tx);
  await audit(tx, { actor: "operator", now }, "operator.company_changed", tx.companyId, {
    changes: auditChanges(pick(before), pick(after)),
  });
  return after;
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
