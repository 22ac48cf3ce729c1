/**
 * Options of a company that the installation's operator reads and changes. Each change is recorded in the company's
 * audit trail.
 */
import { type CompanyOptions, companyOptions } from "@malote/contracts/installation";
import { auditChanges } from "@malote/domain/audit-trail";
import { lockOptions, optionColumns, saveOptions } from "../company/index.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";

const isColumn = (name: string): boolean => (optionColumns as readonly string[]).includes(name);

export async function readCompanyOptions(tx: Tx): Promise<CompanyOptions> {
  const { settings, ...own } = await lockOptions(tx);
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
  await saveOptions(tx, after, settings);
  await audit(tx, { actor: "operator", now }, "operator.company_changed", tx.companyId, {
    changes: auditChanges(pick(before), pick(after)),
  });
  return after;
}
