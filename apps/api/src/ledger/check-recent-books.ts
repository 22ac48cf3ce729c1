/**
 * Checks rows written after the books were last found right: entries after each account's verified position, and
 * batches whose row changed. The cost depends on the last minute's writes, not on the company's history. Changes of
 * older rows that bypass the product are found by the full check.
 */
import { type RawBuilder, sql } from "kysely";
import type { AnyTx } from "../platform/db/database.ts";
import type { BooksFault } from "./check-books.ts";
import { knownPostingRule, unknownPostings } from "./known-postings.ts";
import { lateReleaseRule, lateReleases } from "./late-releases.ts";
import { missingConnectionRule, missingConnections } from "./missing-connections.ts";
import { arrived, notOwed, released, reserved } from "./statuses.ts";

const freshEntries = `(
  SELECT e.*, coalesce(p.seq, 0) AS seen_seq, coalesce(p.balance, 0) AS seen_balance, coalesce(p.at, '-infinity') AS seen_at
  FROM ledger_accounts a
  LEFT JOIN books_positions p ON p.company_id = a.company_id AND p.account = a.account
  JOIN ledger_entries e ON e.company_id = a.company_id AND e.account = a.account AND e.seq > coalesce(p.seq, 0)
  WHERE a.seq > coalesce(p.seq, 0)
)`;
const fresh = sql.raw(freshEntries);

/** Batches written by a transaction that the last check may have missed; including a few older ones is harmless. */
const changedBatches = (horizon: number): RawBuilder<unknown> => sql`(
  SELECT * FROM batches WHERE
    age(xmin) <= pg_snapshot_xmax(pg_current_snapshot())::text::bigint - ${horizon}::bigint + 1000
)`;

/**
 * Payins written after the horizon, by an index. Rows of a transaction newer than any here were written on the server
 * that the backup came from.
 */
const changedPayins = (horizon: number): RawBuilder<unknown> => sql`(
  SELECT * FROM payins WHERE
    changed_in >= (${horizon}::bigint)::text::xid8 AND changed_in < pg_snapshot_xmax(pg_current_snapshot())
)`;

const rules = (
  batches: RawBuilder<unknown>,
  payins: RawBuilder<unknown>,
): Record<string, RawBuilder<unknown>> => ({
  "the entries of a transaction sum to zero": sql`
    SELECT e.company_id, e.transaction_id::text AS place FROM ledger_entries e
    JOIN (SELECT DISTINCT company_id, transaction_id FROM ${fresh} f) n
      ON n.company_id = e.company_id AND n.transaction_id = e.transaction_id
    GROUP BY e.company_id, e.transaction_id HAVING sum(e.amount) <> 0 OR count(*) < 2`,
  "an entry belongs to a transaction": sql`
    SELECT f.company_id, f.account || ' ' || f.seq AS place FROM ${fresh} f
    WHERE NOT EXISTS (SELECT FROM ledger_transactions t WHERE t.company_id = f.company_id AND t.id = f.transaction_id)`,
  "each entry's balance follows from the one before, and time never goes back": sql`
    SELECT company_id, account || ' ' || seq AS place FROM (
      SELECT f.*, lag(f.balance_after, 1, f.seen_balance) OVER in_order AS previous, lag(f.at, 1, f.seen_at) OVER in_order AS earlier,
             lag(f.seq, 1, f.seen_seq) OVER in_order AS before
      FROM ${fresh} f WINDOW in_order AS (PARTITION BY f.company_id, f.account ORDER BY f.seq)) e
    WHERE balance_after - amount <> previous OR at < earlier OR seq <> before + 1`,
  "an account's balance and count are those of its entries": sql`
    SELECT a.company_id, a.account AS place FROM ledger_accounts a
    LEFT JOIN books_positions p ON p.company_id = a.company_id AND p.account = a.account
    LEFT JOIN LATERAL (SELECT e.seq, e.balance_after FROM ledger_entries e
      WHERE e.company_id = a.company_id AND e.account = a.account ORDER BY e.seq DESC LIMIT 1) e ON true
    WHERE (a.seq <> coalesce(p.seq, 0) OR a.balance <> coalesce(p.balance, 0))
      AND (a.seq < coalesce(p.seq, 0) OR a.seq <> coalesce(e.seq, 0) OR a.balance <> coalesce(e.balance_after, 0))`,
  "no account of the company is below zero": sql`
    SELECT company_id, account AS place FROM ledger_accounts
    WHERE balance < 0 AND account IN ('available', 'reserved', 'blocked')`,
  "month counters are the sums of their entries": sql`
    SELECT a.company_id, a.account AS place FROM ledger_accounts a
    LEFT JOIN (SELECT company_id, account, sum(entries) AS entries, sum(money_in - money_out) AS balance
               FROM ledger_months GROUP BY company_id, account) m ON m.company_id = a.company_id AND m.account = a.account
    WHERE a.seq <> coalesce(m.entries, 0) OR a.balance <> coalesce(m.balance, 0)`,
  "a batch's value and counts are those of its payments": sql`
    SELECT b.company_id, b.id::text AS place FROM ${batches} b
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(value), 0) AS value, count(*) AS payments, count(*) FILTER (WHERE errors IS NOT NULL) AS errors,
             count(*) FILTER (WHERE status IN ${sql.raw(arrived)}) AS paid,
             count(*) FILTER (WHERE status = 'FAILED') AS failed, count(*) FILTER (WHERE status = 'RETURNED') AS returned,
             coalesce(sum(value) FILTER (WHERE status = 'RETURNED'), 0) AS returned_value,
             coalesce(sum(value) FILTER (WHERE status NOT IN ${sql.raw(notOwed)}), 0) AS owed
      FROM transfers t WHERE t.company_id = b.company_id AND t.batch_id = b.id) t
    WHERE b.status <> 'VALIDATING' AND (
      b.value <> t.value OR b.payments_count <> t.payments OR b.errors_count <> t.errors OR b.paid_count <> t.paid
      OR b.failed_count <> t.failed OR b.returned_count <> t.returned OR b.returned_value <> t.returned_value
      OR b.reserved_value <> CASE WHEN b.status IN ${sql.raw(reserved)} THEN t.owed ELSE 0 END)`,
  "what is reserved is what the batches hold": sql`
    SELECT a.company_id, 'reserved' AS place FROM ledger_accounts a
    LEFT JOIN (SELECT company_id, sum(reserved_value) AS held FROM batches GROUP BY company_id) b
      ON b.company_id = a.company_id
    WHERE a.account = 'reserved' AND a.balance <> coalesce(b.held, 0)`,
  "each payment that was made is in the books once, to the centavo": sql`
    SELECT t.company_id, t.id::text AS place FROM ${batches} b
    JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
    WHERE t.status IN ${sql.raw(arrived)} AND NOT EXISTS (
      SELECT FROM ledger_transactions l
      JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id
      WHERE l.company_id = t.company_id AND l.cause = 'paid:' || t.end_to_end_id
        AND e.account = 'payouts' AND e.amount = t.value)`,
  "what was given back is in the books, to the centavo": sql`
    SELECT t.company_id, t.id::text AS place FROM ${batches} b
    JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
    WHERE t.status = 'RETURNED' AND NOT b.is_canceled AND NOT EXISTS (
      SELECT FROM ledger_transactions l
      JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id
      WHERE l.company_id = t.company_id AND l.cause IN ('refund:' || t.id, 'returned:' || t.end_to_end_id)
        AND e.account = 'available' AND e.amount = t.value)`,
  "a cancelled batch was given back whole, once": sql`
    SELECT b.company_id, b.id::text AS place FROM ${batches} b
    WHERE b.is_canceled AND (b.status <> 'RETURNED' OR b.returned_value <> b.value OR NOT EXISTS (
      SELECT FROM ledger_transactions l
      JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id
      WHERE l.company_id = b.company_id AND l.cause = 'cancel:' || b.id
        AND e.account = 'available' AND e.amount = b.value))`,
  // A batch's value is what it still reserves, what came back, and what arrived.
  "what left is what arrived": sql`
    SELECT a.company_id, a.account AS place FROM ledger_accounts a
    LEFT JOIN (SELECT company_id, sum(value - reserved_value - returned_value) AS value FROM batches
               WHERE status IN ${sql.raw(reserved)} GROUP BY company_id) b ON b.company_id = a.company_id
    WHERE a.account = 'payouts' AND a.balance <> coalesce(b.value, 0)`,
  [knownPostingRule]: sql.raw(
    unknownPostings(`(
      SELECT l.* FROM (SELECT DISTINCT company_id, transaction_id FROM ${freshEntries} f) n
      JOIN ledger_transactions l ON l.company_id = n.company_id AND l.id = n.transaction_id)`),
  ),
  "what was received is in the books once, to the centavo": sql`
    SELECT p.company_id, p.id::text AS place FROM ${payins} p
    WHERE p.received_amount <> CASE WHEN p.payment_type = 'credit_card'
      THEN (SELECT coalesce(sum(r.gross_amount), 0) FROM card_receivables r
        WHERE r.company_id = p.company_id AND r.payin_id = p.id AND r.status IN ('received', 'refunded'))
      ELSE (SELECT coalesce(sum(e.amount), 0) FROM ledger_transactions l
        JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id AND e.account = 'available'
        WHERE l.company_id = p.company_id AND l.cause = p.posting_cause) END`,
  "a payment is received once in the installation": sql`
    SELECT p.company_id, p.id::text AS place FROM ${payins} p
    LEFT JOIN received_payments r ON r.cause = p.posting_cause
    WHERE p.posting_cause ~ '^(pix|ted|boleto):' AND r.company_id IS DISTINCT FROM p.company_id`,
  "what was given back is the sum of its refunds": sql`
    SELECT p.company_id, p.id::text AS place FROM ${payins} p
    WHERE p.refunded_amount <> (SELECT coalesce(sum(r.amount), 0) FROM payin_refunds r
      WHERE r.company_id = p.company_id AND r.payin_id = p.id AND r.status <> 'failed')`,
  "each refund left the balance once, and came back where it failed": sql`
    SELECT r.company_id, r.id::text AS place FROM ${payins} p
    JOIN payin_refunds r ON r.company_id = p.company_id AND r.payin_id = p.id
    LEFT JOIN LATERAL (SELECT coalesce(sum(e.amount), 0) AS amount FROM ledger_transactions l
      JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id AND e.account = 'pix_in'
      WHERE l.company_id = r.company_id AND l.cause IN ('payin-refund:' || r.id, 'payin-refund-failed:' || r.id)) posted ON true
    WHERE p.payment_type <> 'credit_card' AND posted.amount <> CASE r.status WHEN 'failed' THEN 0 ELSE r.amount END`,
  "a draft holds no payment on its way, and a paid batch none that is not": sql`
    SELECT t.company_id, t.id::text AS place FROM ${batches} b
    JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
    WHERE (t.status = 'CREATED') = (b.status IN ${sql.raw(released)})`,
});

/** Checks recent rows; expects a transaction with one snapshot. */
export async function checkRecentBooks(
  tx: AnyTx,
  horizon: number,
  now?: Date,
  connections?: readonly string[],
): Promise<BooksFault[]> {
  const faults: BooksFault[] = [];
  const recent = rules(changedBatches(horizon), changedPayins(horizon));
  const ofThisInstallation = {
    [lateReleaseRule]: lateReleases(now),
    [missingConnectionRule]: missingConnections(connections),
  };
  for (const [rule, query] of Object.entries({ ...recent, ...ofThisInstallation })) {
    const { rows } = await sql<{ company_id: string; place: string }>`
      SELECT company_id, place FROM (${query}) broken ORDER BY company_id, place LIMIT 1
    `.execute(tx);
    if (rows[0]) faults.push({ rule, companyId: rows[0].company_id, where: rows[0].place });
  }
  return faults;
}
