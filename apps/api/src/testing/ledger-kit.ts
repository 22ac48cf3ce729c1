/** Posts to the ledger and reads it in tests. */
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { checkBooks } from "../ledger/check-books.ts";
import { type LedgerAccount, type Movement, post } from "../ledger/index.ts";
import { knownPostingRule } from "../ledger/known-postings.ts";
import type { DatabaseWithSandbox } from "../platform/db/database.ts";

export const [aurora, horizonte] = demoCompanies.map((company) => company.id) as [string, string];

export const noon = new Date("2026-08-12T15:00:00Z");

const comparesRows = new Set([
  knownPostingRule,
  "what left is what arrived",
  "the accounts of incoming money equal the payins less their refunds",
  "the fees equal those of the receivables that arrived",
  "the account blocked equals the blocked amounts of payins",
]);

/** Returns faults of the ledger alone, for movements that belong to no row of another feature. */
export const faultsOfLedger = async (db: DatabaseWithSandbox) =>
  (await checkBooks(db)).filter(({ rule }) => !comparesRows.has(rule));

let causes = 0;

export const move = (
  from: LedgerAccount,
  to: LedgerAccount,
  amount: number,
  cause = `c${++causes}`,
): Movement => ({
  type: "PAYMENT",
  cause,
  from,
  to,
  amount,
  description: "um movimento",
});

export function ledgerCalls(db: () => DatabaseWithSandbox) {
  const posting = (movements: Movement[], { company = aurora, at = noon, through = db() } = {}) =>
    through.withCompany(company, (tx) => post(tx, at, movements));

  const ledgerFaults = () => faultsOfLedger(db());

  return { posting, ledgerFaults };
}
