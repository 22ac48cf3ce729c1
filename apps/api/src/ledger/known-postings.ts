/**
 * The postings that the product makes: the accounts of each cause, and the row that the cause names. The amounts are
 * compared account by account: `available` is what all others leave, because each posting sums to zero.
 */
import { statusesPaidOrReturned } from "@malote/domain/payment-status";

export type LedgerAccount =
  | "available"
  | "reserved"
  | "blocked"
  | "pix_in"
  | "ted_in"
  | "boleto_in"
  | "card_in"
  | "payouts"
  | "fees";

interface KnownPosting {
  /** First part of the cause, up to its colon. */
  kinds: readonly string[];
  from: readonly LedgerAccount[];
  to: LedgerAccount;
  /** Rows, any of which posting `p` may name: `p.ref` follows the first colon; `p.id` and `p.last_id` are its ids. */
  rows: readonly string[];
}

const list = (names: readonly string[]) => `('${names.join("', '")}')`;

const payin = "payins r WHERE r.posting_cause = p.cause";
const transfer = "transfers r WHERE r.id = p.id";
const receivable = "card_receivables r WHERE r.id = p.last_id";
/** A block or its end names the payin, or the refund that ended or caused it. */
const payinOrRefund = ["payins r WHERE r.id = p.id", "payin_refunds r WHERE r.id = p.id"];

const known: readonly KnownPosting[] = [
  { kinds: ["pix"], from: ["pix_in"], to: "available", rows: [payin] },
  { kinds: ["ted"], from: ["ted_in"], to: "available", rows: [payin] },
  { kinds: ["boleto"], from: ["boleto_in"], to: "available", rows: [payin] },
  { kinds: ["close"], from: ["available"], to: "reserved", rows: ["batches r WHERE r.id = p.id"] },
  { kinds: ["withdraw", "micro-deposit"], from: ["available"], to: "reserved", rows: [transfer] },
  {
    kinds: ["paid"],
    from: ["reserved"],
    to: "payouts",
    rows: [`transfers r WHERE r.end_to_end_id = p.ref AND r.status IN ${list(statusesPaidOrReturned)}`],
  },
  {
    kinds: ["returned"],
    from: ["payouts", "reserved"],
    to: "available",
    rows: ["transfers r WHERE r.end_to_end_id = p.ref AND r.status = 'RETURNED'"],
  },
  { kinds: ["refund"], from: ["reserved"], to: "available", rows: [`${transfer} AND r.status = 'RETURNED'`] },
  {
    kinds: ["cancel"],
    from: ["reserved"],
    to: "available",
    rows: ["batches r WHERE r.id = p.id AND r.is_canceled"],
  },
  { kinds: ["block"], from: ["available"], to: "blocked", rows: payinOrRefund },
  { kinds: ["unblock"], from: ["blocked"], to: "available", rows: payinOrRefund },
  {
    kinds: ["payin-refund"],
    from: ["available"],
    to: "pix_in",
    rows: ["payin_refunds r WHERE r.id = p.id"],
  },
  {
    kinds: ["payin-refund-failed"],
    from: ["pix_in"],
    to: "available",
    rows: ["payin_refunds r WHERE r.id = p.id AND r.status = 'failed'"],
  },
  { kinds: ["card", "card-again"], from: ["card_in"], to: "available", rows: [receivable] },
  { kinds: ["card-back"], from: ["available"], to: "card_in", rows: [receivable] },
  { kinds: ["card-fee", "card-fee-again"], from: ["available"], to: "fees", rows: [receivable] },
  { kinds: ["card-fee-back"], from: ["fees"], to: "available", rows: [receivable] },
];

const isKnown = known
  .map(
    ({ kinds, from, to, rows }) => `
    WHEN p.kind IN ${list(kinds)} THEN p.from_account IN ${list(from)} AND p.to_account = '${to}'
      AND (${rows.map((row) => `EXISTS (SELECT FROM ${row} AND r.company_id = p.company_id)`).join(" OR ")})`,
  )
  .join("");

const idAt = (position: number) => `CASE WHEN split_part(cause, ':', ${position}) ~
  '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN split_part(cause, ':', ${position})::uuid END`;

export const knownPostingRule =
  "each posting moves money between the accounts of its cause, for a row that exists";

/** SQL of the postings among `transactions` that the product never makes. */
export const unknownPostings = (transactions: string): string => `
  SELECT p.company_id, p.cause AS place FROM (
    SELECT l.company_id, l.cause, split_part(l.cause, ':', 1) AS kind, substr(l.cause, strpos(l.cause, ':') + 1) AS ref,
           ${idAt(2)} AS id, ${idAt(-1)} AS last_id, f.account AS from_account, t.account AS to_account
    FROM ${transactions} l
    JOIN ledger_entries f ON f.company_id = l.company_id AND f.transaction_id = l.id AND f.amount < 0
    JOIN ledger_entries t ON t.company_id = l.company_id AND t.transaction_id = l.id AND t.amount > 0) p
  WHERE NOT CASE${isKnown}
    ELSE false END`;
