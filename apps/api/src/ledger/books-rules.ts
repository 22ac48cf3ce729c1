/**
 * Rules of the books, each as the rows that break it. One list for two scopes: everything, and what was written since the
 * books were last found right, whose cost depends on the last minute's writes and not on the company's history. Changes
 * of older rows that bypass the product are found by the full check alone.
 */
import { type BatchStatus, batchTypes, releasedBatchStatuses } from "@malote/domain/batch-status";
import { type PaymentStatus, statusesArrived, statusesPaidOrReturned } from "@malote/domain/payment-status";
import { type RawBuilder, sql } from "kysely";
import { typeIn } from "../platform/db/status-in.ts";
import { knownPostingRule, unknownPostings } from "./known-postings.ts";

export type BooksRules = Readonly<Record<string, RawBuilder<unknown>>>;

const list = (statuses: readonly (BatchStatus | PaymentStatus)[]) => sql.raw(`('${statuses.join("', '")}')`);

/** Payments whose money is with the receiver. */
const arrived = list(statusesArrived);
/** Payments without any reserved money. */
const notOwed = list(statusesPaidOrReturned);
/** Batches whose payments are or were under way. */
const released = list(releasedBatchStatuses);
/** Batches whose money was reserved. */
const reserved = list(["PENDING", ...releasedBatchStatuses]);

/** Rows that rules read, as tables or queries in brackets. */
interface Scope {
  batches: RawBuilder<unknown>;
  payins: RawBuilder<unknown>;
  entries: RawBuilder<unknown>;
  transactions: string;
}

const everything: Scope = {
  batches: sql`batches`,
  payins: sql`payins`,
  entries: sql`ledger_entries`,
  transactions: "ledger_transactions",
};

/** Entries after each account's verified position. */
const freshEntries = `(
  SELECT e.*, coalesce(p.seq, 0) AS seen_seq, coalesce(p.balance, 0) AS seen_balance, coalesce(p.at, '-infinity') AS seen_at
  FROM ledger_accounts a
  LEFT JOIN books_positions p ON p.company_id = a.company_id AND p.account = a.account
  JOIN ledger_entries e ON e.company_id = a.company_id AND e.account = a.account AND e.seq > coalesce(p.seq, 0)
  WHERE a.seq > coalesce(p.seq, 0)
)`;
const fresh = sql.raw(freshEntries);

const writtenSince = (horizon: number): Scope => ({
  // Batches written by a transaction that the last check may have missed; including a few older ones is harmless.
  batches: sql`(
    SELECT * FROM batches WHERE
      age(xmin) <= pg_snapshot_xmax(pg_current_snapshot())::text::bigint - ${horizon}::bigint + 1000
  )`,
  // By an index. Rows of a transaction newer than any here were written on the server that the backup came from.
  payins: sql`(
    SELECT * FROM payins WHERE
      changed_in >= (${horizon}::bigint)::text::xid8 AND changed_in < pg_snapshot_xmax(pg_current_snapshot())
  )`,
  entries: fresh,
  transactions: `(
      SELECT l.* FROM (SELECT DISTINCT company_id, transaction_id FROM ${freshEntries} f) n
      JOIN ledger_transactions l ON l.company_id = n.company_id AND l.id = n.transaction_id)`,
});

/** Rules that are one query in both scopes. */
const rulesOf = ({ batches, payins, entries, transactions }: Scope): BooksRules => ({
  "an entry belongs to a transaction": sql`
    SELECT e.company_id, e.account || ' ' || e.seq AS place FROM ${entries} e
    WHERE NOT EXISTS (SELECT FROM ledger_transactions t WHERE t.company_id = e.company_id AND t.id = e.transaction_id)`,
  "no account of the company is below zero": sql`
    SELECT company_id, account AS place FROM ledger_accounts
    WHERE balance < 0 AND account IN ('available', 'reserved', 'blocked')`,
  "a batch's value and counts equal its payments": sql`
    SELECT b.company_id, b.id::text AS place FROM ${batches} b
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(value), 0) AS value, count(*) AS payments, count(*) FILTER (WHERE errors IS NOT NULL) AS errors,
             count(*) FILTER (WHERE status IN ${arrived}) AS paid,
             count(*) FILTER (WHERE status = 'FAILED') AS failed, count(*) FILTER (WHERE status = 'RETURNED') AS returned,
             coalesce(sum(value) FILTER (WHERE status = 'RETURNED'), 0) AS returned_value
      FROM transfers t WHERE t.company_id = b.company_id AND t.batch_id = b.id) t
    WHERE b.status <> 'VALIDATING' AND (
      b.value <> t.value OR b.payments_count <> t.payments OR b.errors_count <> t.errors OR b.paid_count <> t.paid
      OR b.failed_count <> t.failed OR b.returned_count <> t.returned OR b.returned_value <> t.returned_value)`,
  "a paid batch's reservation equals its unpaid payments": sql`
    SELECT b.company_id, b.id::text AS place FROM ${batches} b
    JOIN LATERAL (SELECT coalesce(sum(value) FILTER (WHERE status NOT IN ${notOwed}), 0) AS owed
                  FROM transfers t WHERE t.company_id = b.company_id AND t.batch_id = b.id) t ON true
    WHERE b.reserved_value <> CASE WHEN b.status IN ${reserved} THEN t.owed ELSE 0 END`,
  "the account reserved equals the reservations of all batches": sql`
    SELECT a.company_id, 'reserved' AS place FROM ledger_accounts a
    LEFT JOIN (SELECT company_id, sum(reserved_value) AS held FROM batches GROUP BY company_id) b
      ON b.company_id = a.company_id
    WHERE a.account = 'reserved' AND a.balance <> coalesce(b.held, 0)`,
  "each payment made is posted once, to the centavo": sql`
    SELECT t.company_id, t.id::text AS place FROM ${batches} b
    JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
    WHERE t.status IN ${arrived} AND NOT EXISTS (
      SELECT FROM ledger_transactions l
      JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id
      WHERE l.company_id = t.company_id AND l.cause = 'paid:' || t.end_to_end_id
        AND e.account = 'payouts' AND e.amount = t.value)`,
  "each returned payment is posted, to the centavo": sql`
    SELECT t.company_id, t.id::text AS place FROM ${batches} b
    JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
    WHERE t.status = 'RETURNED' AND NOT b.is_canceled AND NOT EXISTS (
      SELECT FROM ledger_transactions l
      JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id
      WHERE l.company_id = t.company_id AND l.cause IN ('refund:' || t.id, 'returned:' || t.end_to_end_id)
        AND e.account = 'available' AND e.amount = t.value)`,
  "a cancelled batch is returned whole, once": sql`
    SELECT b.company_id, b.id::text AS place FROM ${batches} b
    WHERE b.is_canceled AND (b.status <> 'RETURNED' OR b.returned_value <> b.value OR NOT EXISTS (
      SELECT FROM ledger_transactions l
      JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id
      WHERE l.company_id = b.company_id AND l.cause = 'cancel:' || b.id
        AND e.account = 'available' AND e.amount = b.value))`,
  [knownPostingRule]: sql.raw(unknownPostings(transactions)),
  "a draft has no payment under way, and a paid batch has no other": sql`
    SELECT t.company_id, t.id::text AS place FROM ${batches} b
    JOIN transfers t ON t.company_id = b.company_id AND t.batch_id = b.id
    WHERE (t.status = 'CREATED') = (b.status IN ${released})`,
  "each received payment is posted once, to the centavo": sql`
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
  "a payin's refunded amount equals its refunds": sql`
    SELECT p.company_id, p.id::text AS place FROM ${payins} p
    WHERE p.refunded_amount <> (SELECT coalesce(sum(r.amount), 0) FROM payin_refunds r
      WHERE r.company_id = p.company_id AND r.payin_id = p.id AND r.status <> 'failed')`,
  "each refund is posted once, and reversed when it failed": sql`
    SELECT r.company_id, r.id::text AS place FROM ${payins} p
    JOIN payin_refunds r ON r.company_id = p.company_id AND r.payin_id = p.id
    LEFT JOIN LATERAL (SELECT coalesce(sum(e.amount), 0) AS amount FROM ledger_transactions l
      JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id AND e.account = 'pix_in'
      WHERE l.company_id = r.company_id AND l.cause IN ('payin-refund:' || r.id, 'payin-refund-failed:' || r.id)) posted ON true
    WHERE p.payment_type <> 'credit_card' AND posted.amount <> CASE r.status WHEN 'failed' THEN 0 ELSE r.amount END`,
});

/** Rules over a whole history, in each scope by a query of its own: the newer one begins where the last check ended. */
const rulesOfHistory = {
  everything: {
    "the entries of a transaction sum to zero": sql`
      SELECT company_id, transaction_id::text AS place FROM ledger_entries
      GROUP BY company_id, transaction_id HAVING sum(amount) <> 0 OR count(*) < 2`,
    "an account's balance and count are those of its entries": sql`
      SELECT a.company_id, a.account AS place FROM ledger_accounts a
      LEFT JOIN (SELECT company_id, account, sum(amount) AS amount, count(*) AS entries, max(seq) AS seq
                 FROM ledger_entries GROUP BY company_id, account) e
        ON e.company_id = a.company_id AND e.account = a.account
      WHERE a.balance <> coalesce(e.amount, 0) OR a.seq <> coalesce(e.entries, 0) OR a.seq <> coalesce(e.seq, 0)`,
    "each entry's balance follows from the one before, and time never goes back": sql`
      SELECT company_id, account || ' ' || seq AS place FROM (
        SELECT company_id, account, seq, at, balance_after - amount AS before,
               lag(balance_after, 1, 0::bigint) OVER entries_in_order AS previous,
               lag(at, 1, '-infinity') OVER entries_in_order AS earlier
        FROM ledger_entries WINDOW entries_in_order AS (PARTITION BY company_id, account ORDER BY seq)) e
      WHERE before <> previous OR at < earlier`,
    "month counters are the sums of their entries": sql`
      SELECT company_id, account || ' ' || month AS place FROM (
        SELECT company_id, account, date_trunc('month', at AT TIME ZONE 'America/Sao_Paulo')::date AS month,
               count(*) AS entries, coalesce(sum(amount) FILTER (WHERE amount > 0), 0) AS money_in,
               coalesce(-sum(amount) FILTER (WHERE amount < 0), 0) AS money_out
        FROM ledger_entries GROUP BY 1, 2, 3) e
      FULL JOIN ledger_months m USING (company_id, account, month)
      WHERE e.entries IS DISTINCT FROM m.entries OR e.money_in IS DISTINCT FROM m.money_in OR e.money_out IS DISTINCT FROM m.money_out`,
    "what left is what arrived": sql`
      SELECT a.company_id, a.account AS place FROM ledger_accounts a
      LEFT JOIN (SELECT company_id, sum(value) AS value FROM transfers WHERE status IN ${arrived} GROUP BY company_id) t
        ON t.company_id = a.company_id
      WHERE a.account = 'payouts' AND a.balance <> coalesce(t.value, 0)`,
  },
  recent: {
    "the entries of a transaction sum to zero": sql`
      SELECT e.company_id, e.transaction_id::text AS place FROM ledger_entries e
      JOIN (SELECT DISTINCT company_id, transaction_id FROM ${fresh} f) n
        ON n.company_id = e.company_id AND n.transaction_id = e.transaction_id
      GROUP BY e.company_id, e.transaction_id HAVING sum(e.amount) <> 0 OR count(*) < 2`,
    "an account's balance and count are those of its entries": sql`
      SELECT a.company_id, a.account AS place FROM ledger_accounts a
      LEFT JOIN books_positions p ON p.company_id = a.company_id AND p.account = a.account
      LEFT JOIN LATERAL (SELECT e.seq, e.balance_after FROM ledger_entries e
        WHERE e.company_id = a.company_id AND e.account = a.account ORDER BY e.seq DESC LIMIT 1) e ON true
      WHERE (a.seq <> coalesce(p.seq, 0) OR a.balance <> coalesce(p.balance, 0))
        AND (a.seq < coalesce(p.seq, 0) OR a.seq <> coalesce(e.seq, 0) OR a.balance <> coalesce(e.balance_after, 0))`,
    "each entry's balance follows from the one before, and time never goes back": sql`
      SELECT company_id, account || ' ' || seq AS place FROM (
        SELECT f.*, lag(f.balance_after, 1, f.seen_balance) OVER in_order AS previous, lag(f.at, 1, f.seen_at) OVER in_order AS earlier,
               lag(f.seq, 1, f.seen_seq) OVER in_order AS before
        FROM ${fresh} f WINDOW in_order AS (PARTITION BY f.company_id, f.account ORDER BY f.seq)) e
      WHERE balance_after - amount <> previous OR at < earlier OR seq <> before + 1`,
    "month counters are the sums of their entries": sql`
      SELECT a.company_id, a.account AS place FROM ledger_accounts a
      LEFT JOIN (SELECT company_id, account, sum(entries) AS entries, sum(money_in - money_out) AS balance
                 FROM ledger_months GROUP BY company_id, account) m ON m.company_id = a.company_id AND m.account = a.account
      WHERE a.seq <> coalesce(m.entries, 0) OR a.balance <> coalesce(m.balance, 0)`,
    // A batch's value is what it still reserves, what came back, and what arrived.
    "what left is what arrived": sql`
      SELECT a.company_id, a.account AS place FROM ledger_accounts a
      LEFT JOIN (SELECT company_id, sum(value - reserved_value - returned_value) AS value FROM batches
                 WHERE status IN ${reserved} GROUP BY company_id) b ON b.company_id = a.company_id
      WHERE a.account = 'payouts' AND a.balance <> coalesce(b.value, 0)`,
  },
} satisfies { everything: BooksRules; recent: BooksRules };

/** True when the operator has not closed the contradiction with event `r` of the network. */
const isOpen = sql`NOT EXISTS (
  SELECT FROM rail_dead_letters d WHERE d.company_id = r.company_id AND d.connection = r.connection AND d.event_id = r.event_id
    AND d.why = 'contradiction' AND d.closed_at IS NOT NULL)`;

/** Rules that only the full check asks. */
const rulesOfEverythingAlone: BooksRules = {
  // The rules above reach payments through their batch.
  "a payment belongs to a batch": sql`
    SELECT t.company_id, t.id::text AS place FROM transfers t
    WHERE NOT EXISTS (SELECT FROM batches b WHERE b.company_id = t.company_id AND b.id = t.batch_id)`,
  "a transaction has entries": sql`
    SELECT t.company_id, t.cause AS place FROM ledger_transactions t
    WHERE NOT EXISTS (SELECT FROM ledger_entries e WHERE e.company_id = t.company_id AND e.transaction_id = t.id)`,
  "the indicators count each payment once, by its outcome": sql`
    SELECT company_id, counted::text AS place FROM (
      SELECT t.company_id, counted_as(t) AS counted, count(*) AS payments
      FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id AND b.type IN ${typeIn(batchTypes)}
      GROUP BY 1, 2) made
    FULL JOIN (
      SELECT company_id, payments,
             jsonb_build_object('day', day, 'status', status, 'bank', bank_ispb, 'reason', reason) AS counted
      FROM payment_days) kept USING (company_id, counted)
    WHERE counted IS NOT NULL AND coalesce(made.payments, 0) <> coalesce(kept.payments, 0)`,
  "the sums of limits equal the payments that left or are under way": sql`
    SELECT company_id, day || ' ' || period || ' ' || payment_method AS place FROM (
      SELECT company_id, day, period, payment_method, sum(value) AS value FROM (
        SELECT company_id, limit_day AS day, limit_period AS period, payment_method, value FROM transfers
        -- A payment that came back after it had arrived counts: it left.
        WHERE limit_day IS NOT NULL AND (status <> 'RETURNED' OR transfer_date IS NOT NULL)
        UNION ALL
        SELECT b.company_id, (take ->> 'on')::date, take ->> 'period', take ->> 'method', (take ->> 'value')::bigint
        FROM batches b CROSS JOIN jsonb_array_elements(b.limit_takes) take) counted
      GROUP BY 1, 2, 3, 4) made
    FULL JOIN limit_sums s USING (company_id, day, period, payment_method)
    WHERE coalesce(made.value, 0) <> coalesce(s.value, 0)`,
  "each payment that the network reports as paid is posted": sql`
    SELECT r.company_id, r.event_id AS place FROM rail_events r
    WHERE r.kind IN ('settled', 'finished', 'returned') AND NOT EXISTS (
      SELECT FROM ledger_transactions l WHERE l.company_id = r.company_id AND l.cause = 'paid:' || r.end_to_end_id)
      AND ${isOpen}`,
  "each payment that the network reports as received is posted, to the centavo": sql`
    SELECT r.company_id, r.event_id AS place FROM rail_events r
    WHERE r.kind IN ('pix_received', 'ted_received', 'charge_paid') AND NOT EXISTS (
      SELECT FROM ledger_transactions l
      JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id AND e.account = 'available'
      WHERE l.company_id = r.company_id AND e.amount = (r.payload ->> 'value')::bigint AND l.cause = ANY(CASE r.kind
        WHEN 'pix_received' THEN ARRAY['pix:' || r.end_to_end_id]
        WHEN 'ted_received' THEN ARRAY['ted:' || (r.payload ->> 'paymentId')]
        ELSE ARRAY['pix:' || (r.payload ->> 'paymentId'), 'boleto:' || (r.payload ->> 'paymentId')] END))
      AND ${isOpen}`,
  "a repeated event of the network has its first content": sql`
    SELECT c.company_id, a.event_id AS place FROM rail_dead_letters a JOIN companies c ON c.company_id = a.company_id
    WHERE a.why = 'changed' AND a.closed_at IS NULL`,
  "the accounts of incoming money equal the payins less their refunds": sql`
    SELECT a.company_id, a.account AS place FROM ledger_accounts a
    LEFT JOIN (
      SELECT company_id, account, sum(amount) AS amount FROM (
        SELECT company_id, split_part(posting_cause, ':', 1) || '_in' AS account, received_amount AS amount FROM payins
        WHERE payment_type <> 'credit_card' AND posting_cause IS NOT NULL
        UNION ALL
        -- Only Pix payins are refunded.
        SELECT company_id, 'pix_in', -refunded_amount FROM payins WHERE payment_type <> 'credit_card') moved
      GROUP BY 1, 2) p USING (company_id, account)
    WHERE a.account IN ('pix_in', 'ted_in', 'boleto_in') AND -a.balance <> coalesce(p.amount, 0)`,
  "the account card_in equals the receivables that arrived": sql`
    SELECT a.company_id, 'card_in' AS place FROM ledger_accounts a
    WHERE a.account = 'card_in' AND -a.balance <> (
      SELECT coalesce(sum(r.gross_amount), 0) FROM card_receivables r WHERE r.company_id = a.company_id AND r.status = 'received')`,
  "the fees equal those of the receivables that arrived": sql`
    SELECT a.company_id, 'fees' AS place FROM ledger_accounts a
    WHERE a.account = 'fees' AND a.balance <> (
      SELECT coalesce(sum(r.gross_amount - r.net_amount), 0) FROM card_receivables r
      WHERE r.company_id = a.company_id AND r.status = 'received')`,
  "a card sale's receivables add up to its amount": sql`
    SELECT p.company_id, p.id::text AS place FROM payins p
    WHERE p.payment_type = 'credit_card' AND p.details ? 'authorization_code' AND p.amount <> (
      SELECT coalesce(sum(r.gross_amount), 0) FROM card_receivables r WHERE r.company_id = p.company_id AND r.payin_id = p.id)`,
  "the account blocked equals the blocked amounts of payins": sql`
    SELECT a.company_id, 'blocked' AS place FROM ledger_accounts a
    WHERE a.account = 'blocked' AND a.balance <> (
      SELECT coalesce(sum(p.block_amount), 0) FROM payins p
      WHERE p.company_id = a.company_id AND p.blocked_at IS NOT NULL AND p.unblocked_at IS NULL)`,
  "each entry of the audit trail is unchanged since it was written": sql`
    SELECT company_id, place FROM (
      SELECT c.company_id, 'link ' || c.seq AS place, c.seq <> lag(c.seq, 1, 0::bigint) OVER links + 1 OR e.id IS NULL
        OR c.hash <> audit_hash(lag(c.hash, 1, ''::bytea) OVER links, c.seq, audit_text(e)) AS is_broken
      FROM audit_chain c LEFT JOIN audit_entries e ON e.company_id = c.company_id AND e.id = c.entry_id
      WINDOW links AS (PARTITION BY c.company_id ORDER BY c.seq)) links
    WHERE is_broken
    UNION ALL
    SELECT e.company_id, 'entry ' || e.id FROM audit_entries e
    WHERE NOT EXISTS (SELECT FROM audit_chain c WHERE c.company_id = e.company_id AND c.entry_id = e.id)
    UNION ALL
    SELECT coalesce(h.company_id, c.company_id), 'the last link' FROM audit_heads h
    FULL JOIN (SELECT DISTINCT ON (company_id) company_id, seq, hash FROM audit_chain ORDER BY company_id, seq DESC) c
      USING (company_id)
    WHERE h.seq IS DISTINCT FROM c.seq OR h.hash IS DISTINCT FROM c.hash`,
  "no payment both failed and was paid": sql`
    SELECT r.company_id, r.event_id AS place FROM rail_events r
    JOIN ledger_transactions l ON l.company_id = r.company_id AND l.cause = 'paid:' || r.end_to_end_id
    WHERE r.kind = 'failed' AND ${isOpen}`,
};

export const rulesOfEverything: BooksRules = {
  ...rulesOfHistory.everything,
  ...rulesOf(everything),
  ...rulesOfEverythingAlone,
};

/** Returns the rules over rows written after the horizon, a number of the server's transactions. */
export const rulesSince = (horizon: number): BooksRules => ({
  ...rulesOfHistory.recent,
  ...rulesOf(writtenSince(horizon)),
});
