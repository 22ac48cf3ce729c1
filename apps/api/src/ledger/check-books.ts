/**
 * Checks the books of every company for inconsistencies; each fault names its first broken row. Runs each minute, by
 * command, and at the end of every reliability test.
 */
import { sql } from "kysely";
import type { Database } from "../platform/db/database.ts";
import { knownPostingRule, unknownPostings } from "./known-postings.ts";
import { lateReleaseRule, lateReleases } from "./late-releases.ts";
import { missingConnectionRule, missingConnections } from "./missing-connections.ts";
import { arrived, notOwed, released, reserved } from "./statuses.ts";

export interface BooksFault {
  rule: string;
  companyId: string;
  where: string;
}

/** True when the operator has not closed the contradiction with event `r` of the network. */
const isOpen = `NOT EXISTS (
  SELECT FROM rail_dead_letters d WHERE d.company_id = r.company_id AND d.connection = r.connection AND d.event_id = r.event_id
    AND d.why = 'contradiction' AND d.closed_at IS NOT NULL)`;

const rules: Record<string, string> = {
  "the entries of a transaction sum to zero": `
    SELECT company_id, transaction_id::text AS place FROM ledger_entries
    GROUP BY company_id, transaction_id HAVING sum(amount) <> 0 OR count(*) < 2`,
  "a transaction has entries": `
    SELECT t.company_id, t.cause AS place FROM ledger_transactions t
    WHERE NOT EXISTS (SELECT FROM ledger_entries e WHERE e.company_id = t.company_id AND e.transaction_id = t.id)`,
  "an entry belongs to a transaction": `
    SELECT e.company_id, e.account || ' ' || e.seq AS place FROM ledger_entries e
    WHERE NOT EXISTS (SELECT FROM ledger_transactions t WHERE t.company_id = e.company_id AND t.id = e.transaction_id)`,
  "an account's balance and count are those of its entries": `
    SELECT a.company_id, a.account AS place FROM ledger_accounts a
    LEFT JOIN (SELECT company_id, account, sum(amount) AS amount, count(*) AS entries, max(seq) AS seq
               FROM ledger_entries GROUP BY company_id, account) e
      ON e.company_id = a.company_id AND e.account = a.account
    WHERE a.balance <> coalesce(e.amount, 0) OR a.seq <> coalesce(e.entries, 0) OR a.seq <> coalesce(e.seq, 0)`,
  "each entry's balance follows from the one before, and time never goes back": `
    SELECT company_id, account || ' ' || seq AS place FROM (
      SELECT company_id, account, seq, at, balance_after - amount AS before,
             lag(balance_after, 1, 0::bigint) OVER entries_in_order AS previous,
             lag(at, 1, '-infinity') OVER entries_in_order AS earlier
      FROM ledger_entries WINDOW entries_in_order AS (PARTITION BY company_id, account ORDER BY seq)) e
    WHERE before <> previous OR at < earlier`,
  "no account of the company is below zero": `
    SELECT company_id, account AS place FROM ledger_accounts
    WHERE balance < 0 AND account IN ('available', 'reserved', 'blocked')`,
  "month counters are the sums of their entries": `
    SELECT company_id, account || ' ' || month AS place FROM (
      SELECT company_id, account, date_trunc('month', at AT TIME ZONE 'America/Sao_Paulo')::date AS month,
             count(*) AS entries, coalesce(sum(amount) FILTER (WHERE amount > 0), 0) AS money_in,
             coalesce(-sum(amount) FILTER (WHERE amount < 0), 0) AS money_out
      FROM ledger_entries GROUP BY 1, 2, 3) e
    FULL JOIN ledger_months m USING (company_id, account, month)
    WHERE e.entries IS DISTINCT FROM m.entries OR e.money_in IS DISTINCT FROM m.money_in OR e.money_out IS DISTINCT FROM m.money_out`,
  "a batch's value and counts are those of its payments": `
    SELECT b.company_id, b.id::text AS place FROM batches b
    LEFT JOIN (SELECT company_id, batch_id, coalesce(sum(value), 0) AS value, count(*) AS payments,
                      count(*) FILTER (WHERE errors IS NOT NULL) AS errors,
                      count(*) FILTER (WHERE status IN ${arrived}) AS paid,
                      count(*) FILTER (WHERE status = 'FAILED') AS failed,
                      count(*) FILTER (WHERE status = 'RETURNED') AS returned,
                      coalesce(sum(value) FILTER (WHERE status = 'RETURNED'), 0) AS returned_value
               FROM transfers GROUP BY company_id, batch_id) t ON t.company_id = b.company_id AND t.batch_id = b.id
    WHERE b.status <> 'VALIDATING' AND (
      b.value <> coalesce(t.value, 0) OR b.payments_count <> coalesce(t.payments, 0) OR b.errors_count <> coalesce(t.errors, 0)
      OR b.paid_count <> coalesce(t.paid, 0) OR b.failed_count <> coalesce(t.failed, 0)
      OR b.returned_count <> coalesce(t.returned, 0) OR b.returned_value <> coalesce(t.returned_value, 0))`,
  "a paid batch's reservation is what its payments still need": `
    SELECT b.company_id, b.id::text AS place FROM batches b
    JOIN LATERAL (SELECT coalesce(sum(value) FILTER (WHERE status NOT IN ${notOwed}), 0) AS owed
                  FROM transfers t WHERE t.company_id = b.company_id AND t.batch_id = b.id) t ON true
    WHERE b.reserved_value <> CASE WHEN b.status IN ${reserved} THEN t.owed ELSE 0 END`,
  "what is reserved is what the batches hold": `
    SELECT a.company_id, 'reserved' AS place FROM ledger_accounts a
    WHERE a.account = 'reserved' AND a.balance <> (
      SELECT coalesce(sum(b.reserved_value), 0) FROM batches b WHERE b.company_id = a.company_id)`,
  "the indicators count each payment once, under what became of it": `
    SELECT company_id, counted::text AS place FROM (
      SELECT t.company_id, counted_as(t) AS counted, count(*) AS payments
      FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id AND b.type IN ('TRANSFER', 'BILLET')
      GROUP BY 1, 2) made
    FULL JOIN (
      SELECT company_id, payments,
             jsonb_build_object('day', day, 'status', status, 'bank', bank_ispb, 'reason', reason) AS counted
      FROM payment_days) kept USING (company_id, counted)
    WHERE counted IS NOT NULL AND coalesce(made.payments, 0) <> coalesce(kept.payments, 0)`,
  "the sums of limits are those of the payments that left or are on their way": `
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
  "each payment that was made is in the books once, to the centavo": `
    SELECT t.company_id, t.id::text AS place FROM transfers t
    WHERE t.status IN ${arrived} AND NOT EXISTS (
      SELECT FROM ledger_transactions l
      JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id
      WHERE l.company_id = t.company_id AND l.cause = 'paid:' || t.end_to_end_id
        AND e.account = 'payouts' AND e.amount = t.value)`,
  "what was given back is in the books, to the centavo": `
    SELECT t.company_id, t.id::text AS place FROM transfers t
    JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id AND NOT b.is_canceled
    WHERE t.status = 'RETURNED' AND NOT EXISTS (
      SELECT FROM ledger_transactions l
      JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id
      WHERE l.company_id = t.company_id AND l.cause IN ('refund:' || t.id, 'returned:' || t.end_to_end_id)
        AND e.account = 'available' AND e.amount = t.value)`,
  "a cancelled batch was given back whole, once": `
    SELECT b.company_id, b.id::text AS place FROM batches b
    WHERE b.is_canceled AND (b.status <> 'RETURNED' OR b.returned_value <> b.value OR NOT EXISTS (
      SELECT FROM ledger_transactions l
      JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id
      WHERE l.company_id = b.company_id AND l.cause = 'cancel:' || b.id
        AND e.account = 'available' AND e.amount = b.value))`,
  "what left is what arrived": `
    SELECT a.company_id, a.account AS place FROM ledger_accounts a
    LEFT JOIN (SELECT company_id, sum(value) AS value FROM transfers WHERE status IN ${arrived} GROUP BY company_id) t
      ON t.company_id = a.company_id
    WHERE a.account = 'payouts' AND a.balance <> coalesce(t.value, 0)`,
  [knownPostingRule]: unknownPostings("ledger_transactions"),
  "a draft holds no payment on its way, and a paid batch none that is not": `
    SELECT t.company_id, t.id::text AS place FROM transfers t
    JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
    WHERE (t.status = 'CREATED') = (b.status IN ${released})`,
  "what the network says was paid is in the books": `
    SELECT r.company_id, r.event_id AS place FROM rail_events r
    WHERE r.kind IN ('settled', 'finished', 'returned') AND NOT EXISTS (
      SELECT FROM ledger_transactions l WHERE l.company_id = r.company_id AND l.cause = 'paid:' || r.end_to_end_id)
      AND ${isOpen}`,
  "what the network says was received is in the books, to the centavo": `
    SELECT r.company_id, r.event_id AS place FROM rail_events r
    WHERE r.kind IN ('pix_received', 'ted_received', 'charge_paid') AND NOT EXISTS (
      SELECT FROM ledger_transactions l
      JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id AND e.account = 'available'
      WHERE l.company_id = r.company_id AND e.amount = (r.payload ->> 'value')::bigint AND l.cause = ANY(CASE r.kind
        WHEN 'pix_received' THEN ARRAY['pix:' || r.end_to_end_id]
        WHEN 'ted_received' THEN ARRAY['ted:' || (r.payload ->> 'paymentId')]
        ELSE ARRAY['pix:' || (r.payload ->> 'paymentId'), 'boleto:' || (r.payload ->> 'paymentId')] END))
      AND ${isOpen}`,
  "what the network reports once more is what it reported before": `
    SELECT c.company_id, a.event_id AS place FROM rail_dead_letters a JOIN companies c ON c.company_id = a.company_id
    WHERE a.why = 'changed' AND a.closed_at IS NULL`,
  "what was received is in the books once, to the centavo": `
    SELECT p.company_id, p.id::text AS place FROM payins p
    WHERE p.received_amount <> CASE WHEN p.payment_type = 'credit_card'
      THEN (SELECT coalesce(sum(r.gross_amount), 0) FROM card_receivables r
        WHERE r.company_id = p.company_id AND r.payin_id = p.id AND r.status IN ('received', 'refunded'))
      ELSE (SELECT coalesce(sum(e.amount), 0) FROM ledger_transactions l
        JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id AND e.account = 'available'
        WHERE l.company_id = p.company_id AND l.cause = p.posting_cause) END`,
  "what came in is what the payins received and did not give back": `
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
  "a payment is received once in the installation": `
    SELECT p.company_id, p.id::text AS place FROM payins p
    LEFT JOIN received_payments r ON r.cause = p.posting_cause
    WHERE p.posting_cause ~ '^(pix|ted|boleto):' AND r.company_id IS DISTINCT FROM p.company_id`,
  "what was given back is the sum of its refunds": `
    SELECT p.company_id, p.id::text AS place FROM payins p
    LEFT JOIN (SELECT company_id, payin_id, sum(amount) FILTER (WHERE status <> 'failed') AS amount
               FROM payin_refunds GROUP BY company_id, payin_id) r ON r.company_id = p.company_id AND r.payin_id = p.id
    WHERE p.refunded_amount <> coalesce(r.amount, 0)`,
  "each refund left the balance once, and came back where it failed": `
    SELECT r.company_id, r.id::text AS place FROM payin_refunds r
    JOIN payins p ON p.company_id = r.company_id AND p.id = r.payin_id
    LEFT JOIN LATERAL (SELECT coalesce(sum(e.amount), 0) AS amount FROM ledger_transactions l
      JOIN ledger_entries e ON e.company_id = l.company_id AND e.transaction_id = l.id AND e.account = 'pix_in'
      WHERE l.company_id = r.company_id AND l.cause IN ('payin-refund:' || r.id, 'payin-refund-failed:' || r.id)) posted ON true
    WHERE p.payment_type <> 'credit_card' AND posted.amount <> CASE r.status WHEN 'failed' THEN 0 ELSE r.amount END`,
  "what came of a card sale is what its receivables brought": `
    SELECT a.company_id, 'card_in' AS place FROM ledger_accounts a
    WHERE a.account = 'card_in' AND -a.balance <> (
      SELECT coalesce(sum(r.gross_amount), 0) FROM card_receivables r WHERE r.company_id = a.company_id AND r.status = 'received')`,
  "fees are those of the receivables that came": `
    SELECT a.company_id, 'fees' AS place FROM ledger_accounts a
    WHERE a.account = 'fees' AND a.balance <> (
      SELECT coalesce(sum(r.gross_amount - r.net_amount), 0) FROM card_receivables r
      WHERE r.company_id = a.company_id AND r.status = 'received')`,
  "a card sale's receivables are its amount": `
    SELECT p.company_id, p.id::text AS place FROM payins p
    WHERE p.payment_type = 'credit_card' AND p.details ? 'authorization_code' AND p.amount <> (
      SELECT coalesce(sum(r.gross_amount), 0) FROM card_receivables r WHERE r.company_id = p.company_id AND r.payin_id = p.id)`,
  "what is blocked is what the payins hold": `
    SELECT a.company_id, 'blocked' AS place FROM ledger_accounts a
    WHERE a.account = 'blocked' AND a.balance <> (
      SELECT coalesce(sum(p.block_amount), 0) FROM payins p
      WHERE p.company_id = a.company_id AND p.blocked_at IS NOT NULL AND p.unblocked_at IS NULL)`,
  "the audit trail is as it was written, entry by entry": `
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
  "no payment both failed and was paid": `
    SELECT r.company_id, r.event_id AS place FROM rail_events r
    JOIN ledger_transactions l ON l.company_id = r.company_id AND l.cause = 'paid:' || r.end_to_end_id
    WHERE r.kind = 'failed' AND ${isOpen}`,
};

/**
 * Checks the books as of now, with the connections of a running installation. A stopped copy is checked as of its
 * newest entry.
 */
export async function checkBooks(
  db: Database,
  now?: Date,
  connections?: readonly string[],
): Promise<BooksFault[]> {
  return db.withSystem(async (tx) => {
    // One snapshot for all rules: otherwise a posting between two of them would look like a fault.
    await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.execute(tx);
    const faults: BooksFault[] = [];
    const queries = Object.entries(rules).map(([rule, query]) => [rule, sql.raw(query)] as const);
    const ofThisInstallation = [
      [lateReleaseRule, lateReleases(now)],
      [missingConnectionRule, missingConnections(connections)],
    ] as const;
    for (const [rule, query] of [...queries, ...ofThisInstallation]) {
      const { rows } = await sql<{ company_id: string; place: string }>`
        SELECT company_id, place FROM (${query}) broken ORDER BY company_id, place LIMIT 1
      `.execute(tx);
      if (rows[0]) faults.push({ rule, companyId: rows[0].company_id, where: rows[0].place });
    }
    return faults;
  });
}
