/**
 * Entries of the account `available`. They are numbered without gaps and in order of time, so a period is a range of
 * numbers and any page of it costs the same, whether the company has ten thousand entries or ten million.
 */
import type { StatementEntry } from "@malote/contracts/statement";
import { addDays, type CalendarDate, startOfDay } from "@malote/domain/calendar";
import { sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";

export interface EntryRow {
  id: string;
  seq: number;
  amount: number;
  balance_after: number;
  at: Date;
  type: StatementEntry["type"];
  description: string;
  complement: Partial<StatementEntry["complement"]>;
}

interface Period {
  /** Position of the account before the period, and at its end. */
  opening: { seq: number; balance: number };
  closing: { seq: number; balance: number };
  totals: { in: number; out: number };
}

interface PeriodRow {
  opening_seq: number;
  opening_balance: number;
  closing_seq: number;
  closing_balance: number;
  money_in: number;
}

/** Selects the last entry before an instant, which has the number and the balance at an edge of a period. */
const edgeBefore = (tx: Tx, instant: Date) => sql`(
  SELECT seq, balance_after FROM ledger_entries
  WHERE company_id = ${tx.companyId} AND account = 'available' AND at < ${instant}
  ORDER BY at DESC, seq DESC LIMIT 1)`;

/** Sums the incoming money between two instants from its entries, for the days outside whole months. */
const cameIn = (tx: Tx, from: Date, until: Date) => sql`(
  SELECT coalesce(sum(amount), 0) FROM ledger_entries
  WHERE company_id = ${tx.companyId} AND account = 'available' AND at >= ${from} AND at < ${until} AND amount > 0)`;

/** Sums the incoming money of whole months, from their stored sums. */
const cameInMonths = (tx: Tx, first: CalendarDate, until: CalendarDate) => sql`(
  SELECT coalesce(sum(money_in), 0) FROM ledger_months
  WHERE company_id = ${tx.companyId} AND account = 'available' AND month >= ${first}::date AND month < ${until}::date)`;

const firstOfMonth = (date: CalendarDate) => `${date.slice(0, 8)}01` as CalendarDate;
const firstOfNextMonth = (date: CalendarDate) => firstOfMonth(addDays(firstOfMonth(date), 31));

/** Reads a period in one statement, so that a concurrent posting is either in all figures or in none. */
export async function readPeriod(tx: Tx, from: CalendarDate, dayAfter: CalendarDate): Promise<Period> {
  const firstWhole = firstOfMonth(from) === from ? from : firstOfNextMonth(from);
  const lastWhole = firstOfMonth(dayAfter);
  const hasWholeMonth = firstWhole < lastWhole;
  const moneyIn = hasWholeMonth
    ? sql`${cameIn(tx, startOfDay(from), startOfDay(firstWhole))} + ${cameInMonths(tx, firstWhole, lastWhole)}
        + ${cameIn(tx, startOfDay(lastWhole), startOfDay(dayAfter))}`
    : cameIn(tx, startOfDay(from), startOfDay(dayAfter));
  const row = onlyRow(
    await sql<PeriodRow>`
    SELECT coalesce(opening.seq, 0)::bigint AS opening_seq, coalesce(opening.balance_after, 0)::bigint AS opening_balance,
           coalesce(closing.seq, 0)::bigint AS closing_seq, coalesce(closing.balance_after, 0)::bigint AS closing_balance,
           (${moneyIn})::bigint AS money_in
    FROM (VALUES (1)) one
    LEFT JOIN ${edgeBefore(tx, startOfDay(from))} opening ON true
    LEFT JOIN ${edgeBefore(tx, startOfDay(dayAfter))} closing ON true
  `.execute(tx),
  );
  return {
    opening: { seq: row.opening_seq, balance: row.opening_balance },
    closing: { seq: row.closing_seq, balance: row.closing_balance },
    // Outgoing money is the difference.
    totals: { in: row.money_in, out: row.opening_balance + row.money_in - row.closing_balance },
  };
}

/** Returns the entries by number from after `after` to `upTo`. */
export async function listEntries(
  tx: Tx,
  { after, upTo, newestFirst }: { after: number; upTo: number; newestFirst: boolean },
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    SELECT t.id, e.seq, e.amount, e.balance_after, e.at, t.type, t.description, t.complement
    FROM ledger_entries e JOIN ledger_transactions t ON t.company_id = e.company_id AND t.id = e.transaction_id
    WHERE e.company_id = ${tx.companyId} AND e.account = 'available' AND e.seq > ${after} AND e.seq <= ${upTo}
    ORDER BY e.seq ${newestFirst ? sql`DESC` : sql``}
  `.execute(tx);
  return rows;
}

/** Condition for a transaction `t` that moves the money of a whole batch, and not of one payment of it. */
const isOfWholeBatch = sql`t.type IN ('BATCH', 'REFUND') AND NOT t.complement ? 'transfer_id'`;

/** Counts the entries by number, those of a whole batch once for each of its payments. */
export async function countPaymentLines(
  tx: Tx,
  { after, upTo }: { after: number; upTo: number },
): Promise<number> {
  return onlyRow(
    await sql<{ count: number }>`
    SELECT coalesce(sum(coalesce(b.payments_count, 1)), 0)::bigint AS count
    FROM ledger_entries e JOIN ledger_transactions t ON t.company_id = e.company_id AND t.id = e.transaction_id
    LEFT JOIN batches b ON ${isOfWholeBatch} AND b.company_id = e.company_id AND b.id = (t.complement ->> 'batch_id')::uuid
    WHERE e.company_id = ${tx.companyId} AND e.account = 'available' AND e.seq > ${after} AND e.seq <= ${upTo}
  `.execute(tx),
  ).count;
}
