/** Invariants of the database, checked as its superuser and independently of the product's own code. */
import type pg from "pg";
import type { Workload } from "./workload.ts";

type RunQuery = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

const askWith =
  (client: pg.Client): RunQuery =>
  async (text, values = []) =>
    (await client.query(text, values)).rows;

/** Returns acknowledged operations that are missing or present more than once. */
export async function lostOperations(client: pg.Client, workload: Workload): Promise<string[]> {
  const ask = askWith(client);
  const promised = [...workload.acknowledged];
  const deposits = [...workload.deposits.keys()];
  const sheetIds = [...workload.sheets.keys()];
  const payments = [...workload.payments];
  const faults: string[] = [];

  const found = await ask(
    "SELECT request_id, count(*)::int AS times FROM audit_entries WHERE request_id = ANY($1) GROUP BY 1",
    [promised.map(({ requestId }) => requestId)],
  );
  const times = new Map(found.map((row) => [row["request_id"], row["times"] as number]));
  for (const { requestId, call, most } of promised) {
    const count = times.get(requestId) ?? 0;
    if (count === 0) faults.push(`lost: ${call} ${requestId}`);
    if (count > most) faults.push(`done ${count} times: ${call} ${requestId}`);
  }

  const rows = await ask("SELECT id, value FROM transfers WHERE id = ANY($1)", [payments.map(([id]) => id)]);
  const values = new Map(rows.map((row) => [row["id"], Number(row["value"])]));
  for (const [id, value] of payments) {
    // A later change may have been acknowledged to a client during the query.
    if (values.get(id) !== value && workload.payments.get(id) === value) {
      faults.push(`payment ${id}: acknowledged ${value}, found ${values.get(id)}`);
    }
  }

  const known = await ask("SELECT end_to_end_id FROM sandbox.events WHERE end_to_end_id = ANY($1)", [
    deposits,
  ]);
  const knownDeposits = new Set(known.map((row) => row["end_to_end_id"]));
  for (const id of deposits) if (!knownDeposits.has(id)) faults.push(`lost: deposit ${id}`);

  const kept = await ask("SELECT id FROM sheets WHERE id = ANY($1) AND state IN ('reading', 'imported')", [
    sheetIds,
  ]);
  if (kept.length !== sheetIds.length) faults.push(`${sheetIds.length - kept.length} sheets were lost`);
  return faults;
}

/**
 * Joins each order of the network with its payment and attempt: its id is a hash over both. It is computed once for all
 * rules, which read it as `orders_with_payments`.
 */
const ordersWithPayments = `
  SELECT o.end_to_end_id, o.value, o.outcome, t.id, t.attempt, t.try, t.status, t.value AS owed, t.company_id
  FROM sandbox.orders o
  LEFT JOIN (
    SELECT t.*, n AS try, substr(translate(encode(sha256(convert_to(concat_ws(' ', t.company_id, t.id, n), 'UTF8')), 'base64'),
      '+/=', 'xyz'), 1, 11) AS tail
    FROM transfers t, generate_series(1, t.attempt) n
    -- Kept apart: the hashes first, then one join over them, and not each order beside each payment of its company.
    OFFSET 0
  ) t ON t.company_id = o.company_id AND t.tail = substr(o.end_to_end_id, 22)`;

const moneyRules: Record<string, string> = {
  "an order of no payment": `SELECT end_to_end_id AS place FROM orders_with_payments WHERE id IS NULL`,
  "one try sent as two orders": `
    SELECT id::text AS place FROM orders_with_payments WHERE id IS NOT NULL GROUP BY id, try HAVING count(*) > 1`,
  "a payment paid twice": `
    SELECT id::text AS place FROM orders_with_payments WHERE id IS NOT NULL AND outcome IN ('settled', 'returned') GROUP BY id HAVING count(*) > 1`,
  "an order over another amount than the payment": `
    SELECT id::text AS place FROM orders_with_payments WHERE owed <> value`,
  "a corrected payment that had been paid": `
    SELECT id::text AS place FROM orders_with_payments WHERE outcome IN ('settled', 'returned') AND try < attempt`,
  "a closing that is not in the audit trail": `
    SELECT b.id::text AS place FROM batches b
    LEFT JOIN (SELECT company_id, subject_id, count(*) AS times FROM audit_entries
      WHERE action IN ('batch_closed', 'batch_approved') GROUP BY 1, 2) a
      ON a.company_id = b.company_id AND a.subject_id = b.id::text
    WHERE b.closings <> coalesce(a.times, 0)`,
  "a batch reserved more than once": `
    SELECT split_part(cause, ':', 2) AS place FROM ledger_transactions WHERE cause LIKE 'close:%' GROUP BY 1 HAVING count(*) > 1`,
  "a refund that no call requested, or none where one was requested": `
    SELECT coalesce(asked.id, posted.id) AS place
    FROM (SELECT jsonb_array_elements_text(detail -> 'transfers') AS id FROM audit_entries WHERE action = 'transfers_refunded') asked
    FULL JOIN (SELECT split_part(cause, ':', 2) AS id FROM ledger_transactions WHERE cause LIKE 'refund:%') posted USING (id)
    WHERE asked.id IS NULL OR posted.id IS NULL`,
  "a withdrawal that no call requested, or none where one was requested": `
    SELECT coalesce(asked.id, made.id, posted.id) AS place
    FROM (SELECT subject_id AS id FROM audit_entries WHERE action = 'balance_withdrawn') asked
    FULL JOIN (SELECT t.id::text AS id FROM transfers t JOIN batches b ON b.company_id = t.company_id AND b.id = t.batch_id
      WHERE b.type = 'WITHDRAWAL') made USING (id)
    FULL JOIN (SELECT split_part(cause, ':', 2) AS id FROM ledger_transactions WHERE cause LIKE 'withdraw:%') posted USING (id)
    WHERE asked.id IS NULL OR made.id IS NULL OR posted.id IS NULL`,
};

const unfinishedJobs = `
  SELECT name || ' ' || state AS place FROM pgboss.job_common WHERE state NOT IN ('completed', 'cancelled')`;

/** Rules that hold only after all work has completed. */
const restRules: Record<string, string> = {
  "a payment that never came to an end": `
    SELECT id::text || ' ' || status AS place FROM transfers WHERE status NOT IN ('CREATED', 'FINISHED', 'RETURNED')`,
  "a batch that never came to an end": `
    SELECT id::text || ' ' || status AS place FROM batches
    WHERE status NOT IN ('DRAFT', 'WAITING_APPROVAL', 'FINISHED', 'RETURNED', 'REMOVED')`,
  "a settled order whose payment is not finished, or the other way round": `
    SELECT coalesce(o.id, t.id)::text AS place
    FROM (SELECT id FROM orders_with_payments WHERE outcome = 'settled') o
    FULL JOIN (SELECT id FROM transfers WHERE status IN ('TRANSFERRED', 'FINISHED')) t ON t.id = o.id
    WHERE o.id IS NULL OR t.id IS NULL`,
  "money that left and was not paid out by the network": `
    SELECT company_id::text AS place FROM ledger_accounts a WHERE account = 'payouts' AND balance <>
      (SELECT coalesce(sum(value), 0) FROM sandbox.orders o WHERE o.company_id = a.company_id AND outcome = 'settled')`,
  "an event never delivered": "SELECT id AS place FROM sandbox.events WHERE delivered_at IS NULL",
  "a job never done": unfinishedJobs,
};

export async function moneyFaults(client: pg.Client): Promise<string[]> {
  return broken(askWith(client), moneyRules);
}

export async function restFaults(client: pg.Client, workload: Workload): Promise<string[]> {
  const ask = askWith(client);
  const faults = await broken(ask, restRules);
  const posted = await ask(
    `SELECT t.cause, max(e.amount)::float8 AS value FROM ledger_transactions t
     JOIN ledger_entries e ON e.company_id = t.company_id AND e.transaction_id = t.id
     WHERE t.type = 'DEPOSIT' GROUP BY t.company_id, t.cause`,
  );
  const inBooks = new Map(posted.map((row) => [String(row["cause"]).replace(/^pix:/, ""), row["value"]]));
  for (const [id, value] of workload.deposits) {
    if (inBooks.get(id) !== value)
      faults.push(`deposit ${id}: acknowledged ${value}, found ${inBooks.get(id)}`);
  }
  if (posted.length !== workload.deposits.size) {
    faults.push(`${posted.length} deposits in the books, ${workload.deposits.size} were sent`);
  }

  const drafts = await ask(
    `SELECT s.id, s.state, count(b.id)::int AS batches, max(b.payments_count)::int AS rows, max(b.value)::float8 AS value
     FROM sheets s LEFT JOIN batches b ON b.company_id = s.company_id AND b.sheet_id = s.id GROUP BY s.company_id, s.id`,
  );
  const ofSheet = new Map(drafts.map((row) => [row["id"], row]));
  for (const [id, { rows, value }] of workload.sheets) {
    const draft = ofSheet.get(id);
    if (draft?.["batches"] !== 1 || draft["rows"] !== rows || draft["value"] !== value) {
      faults.push(`sheet ${id}: ${rows} rows of ${value} became ${JSON.stringify(draft)}`);
    }
  }
  return faults;
}

async function broken(ask: RunQuery, rules: Record<string, string>): Promise<string[]> {
  const questions = Object.values(rules).map(
    (query, rule) => `SELECT ${rule} AS rule, place FROM (${query}) broken`,
  );
  const rows = await ask(`
    WITH orders_with_payments AS MATERIALIZED (${ordersWithPayments})
    SELECT rule, count(*)::int AS times, min(place) AS place FROM (${questions.join(" UNION ALL ")}) answers
    GROUP BY rule ORDER BY rule`);
  const names = Object.keys(rules);
  return rows.map(({ rule, times, place }) => `${names[Number(rule)]}: ${times}, such as ${place}`);
}
