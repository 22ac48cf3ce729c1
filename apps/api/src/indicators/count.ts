/** Maintains the daily counts (`payment_days`): each status change of a payment is counted in its own transaction. */
import { sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";

/**
 * Position of a payment in the counts, as the database's `counted_as` computes it; null while its status is not final.
 */
interface CountedAs {
  day: string;
  status: string;
  bank: string;
  reason: string;
}

export interface MovedCount {
  was: CountedAs | null;
  is: CountedAs | null;
}

/** Columns that an UPDATE of `transfers` must return for `countMoved`. */
export const countBeforeAndAfter = sql`counted_as(old) AS was, counted_as(new) AS is`;

/**
 * Updates the counts. Call it once at the end of an action, after the updates of batches and accounts: two concurrent
 * actions of a company then cannot deadlock, because one statement locks the counts in the order of their keys.
 */
export async function countMoved(tx: Tx, moved: readonly MovedCount[]): Promise<void> {
  const changes = new Map<string, number>();
  const add = (counted: CountedAs | null, by: number) => {
    if (!counted) return;
    const key = JSON.stringify(counted);
    changes.set(key, (changes.get(key) ?? 0) + by);
  };
  for (const { was, is } of moved) {
    add(was, -1);
    add(is, 1);
  }
  const steps = [...changes].filter(([, by]) => by !== 0).map(([key, by]) => ({ ...JSON.parse(key), by }));
  if (steps.length === 0) return;
  await sql`
    INSERT INTO payment_days AS d (company_id, day, status, bank_ispb, reason, payments)
    SELECT ${tx.companyId}::uuid, s.day, s.status, s.bank, s.reason, s.by
    FROM jsonb_to_recordset(${JSON.stringify(steps)}::jsonb)
      AS s (day date, status text, bank text, reason text, by int)
    ORDER BY s.day, s.status, s.bank, s.reason
    ON CONFLICT (company_id, day, status, bank_ispb, reason)
      DO UPDATE SET payments = d.payments + excluded.payments
  `.execute(tx);
}
