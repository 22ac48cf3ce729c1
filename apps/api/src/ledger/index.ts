/** The only caller of `post_movements`, the guarded statement that moves money. */

import type { StatementEntry, StatementEntryType } from "@malote/contracts/statement";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { prepared } from "../platform/db/prepared.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { LedgerAccount } from "./known-postings.ts";

export { checkBooks } from "./check-books.ts";
export { countPaymentLines, type EntryRow, listEntries, readPeriod } from "./entry-store.ts";
export type { LedgerAccount } from "./known-postings.ts";
export { missingConnections } from "./missing-connections.ts";

/** Decision 0036: types that statements of other books show, and that ours never post. */
type TypeOfOtherBooks = "EXPIRED_DEPOSIT" | "PENDING_DEPOSIT" | "PENDING_DEPOSIT_REFUND" | "UNLOCKED";

export interface Movement {
  /** A type of the statement, or PAYMENT for a movement that the statement does not show. */
  type: Exclude<StatementEntryType, TypeOfOtherBooks> | "PAYMENT";
  /** The cause of the posting; the same cause never posts twice. */
  cause: string;
  from: LedgerAccount;
  to: LedgerAccount;
  /** Centavos, more than zero. */
  amount: number;
  description: string;
  complement?: Partial<StatementEntry["complement"]>;
}

/**
 * Posts all movements in order, or none. Returns false when an account would fall below zero; the transaction can
 * continue. Skips a cause that is already in the books, so a repeated posting is harmless.
 */
export async function post(tx: Tx, at: Date, movements: readonly Movement[]): Promise<boolean> {
  if (movements.length === 0) return true;
  for (const movement of movements) {
    if (!Number.isSafeInteger(movement.amount) || movement.amount <= 0) {
      throw new Error(`not an amount that can be moved: ${movement.amount} (${movement.cause})`);
    }
  }
  const rows = movements.map((movement) => ({
    id: uuidv7(),
    type: movement.type,
    cause: movement.cause,
    from_account: movement.from,
    to_account: movement.to,
    amount: movement.amount,
    description: movement.description,
    complement: movement.complement ?? {},
  }));
  const result = await sql<{ posted: boolean }>`
    ${prepared} SELECT post_movements(${tx.companyId}, ${at}, ARRAY(
      SELECT m FROM jsonb_populate_recordset(NULL::movement, ${JSON.stringify(rows)}::jsonb) m
    )) AS posted
  `.execute(tx);
  return onlyRow(result).posted;
}

/** Joins the account `available` of a row's company as `a`. */
export const sqlJoinAvailable = (row: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`JOIN ledger_accounts a ON a.company_id = ${row}.company_id AND a.account = 'available'`;

/** SQL condition: a posting of the company has this cause. */
export const sqlIsPosted = (tx: Tx, cause: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`EXISTS (SELECT FROM ledger_transactions l WHERE l.company_id = ${tx.companyId} AND l.cause = ${cause})`;

export async function readAvailableBalance(tx: Tx): Promise<number> {
  const result = await sql<{ balance: number }>`
    ${prepared} SELECT balance FROM ledger_accounts WHERE company_id = ${tx.companyId} AND account = 'available'
  `.execute(tx);
  return result.rows[0]?.balance ?? 0;
}
