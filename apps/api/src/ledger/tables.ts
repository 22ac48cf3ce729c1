/** Tables that this folder owns, and those of others that its statements read, each with the reason (decision 0060). */
export const owns = [
  "books_checks",
  "books_positions",
  "ledger_accounts",
  "ledger_entries",
  "ledger_months",
  "ledger_moves",
  "ledger_transactions",
];

const compared = "the books check compares it with the postings";

export const reads = {
  audit_chain: compared,
  audit_entries: compared,
  audit_heads: compared,
  batches: "the books check compares it with the postings, and a statement by payment counts its payments",
  card_receivables: compared,
  companies: compared,
  limit_sums: compared,
  payin_refunds: compared,
  payins: compared,
  payment_days: compared,
  payment_routes: compared,
  rail_dead_letters: compared,
  rail_events: compared,
  received_payments: compared,
  transfers: compared,
};
