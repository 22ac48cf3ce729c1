/** Refunds as rows: the network is asked for each, or reported it itself. */
import type { Cents } from "@malote/domain/money";
import { sql } from "kysely";
import { sqlHolds, sqlJoinCompany, sqlMayPay } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { nextRetryAt } from "../platform/db/next-retry.ts";
import { onlyRow } from "../platform/db/only-row.ts";

export interface RefundRow {
  id: string;
  payin_id: string;
  amount: Cents;
  nature: "asked" | "infraction" | "block";
  status: "processing" | "succeeded" | "failed";
  error: string | null;
  /** The amount of the precautionary block that the refund lifted, or the whole refund when a block came meanwhile. */
  blocked_if_failed: Cents;
  created_at: Date;
  finished_at: Date | null;
}

const refundColumns = sql`r.id, r.payin_id, r.amount, r.nature, r.status, r.error, r.blocked_if_failed, r.created_at, r.finished_at`;

/** Adds a refund. `askAt`: when the network is asked for it; null when the network reported it. */
export async function insertRefund(
  tx: Tx,
  refund: Omit<RefundRow, "error" | "status" | "finished_at">,
  askAt: Date | null,
): Promise<void> {
  const status = askAt ? "processing" : "succeeded";
  await sql`
    INSERT INTO payin_refunds (company_id, id, payin_id, amount, nature, status, blocked_if_failed, created_at, finished_at, ask_at)
    VALUES (${tx.companyId}, ${refund.id}, ${refund.payin_id}, ${refund.amount}, ${refund.nature}, ${status},
      ${refund.blocked_if_failed}, ${refund.created_at}, ${askAt ? null : refund.created_at}, ${askAt})
  `.execute(tx);
}

export async function findRefund(tx: Tx, id: string): Promise<RefundRow | undefined> {
  const { rows } = await sql<RefundRow>`
    SELECT ${refundColumns} FROM payin_refunds r WHERE r.company_id = ${tx.companyId} AND r.id = ${id}
  `.execute(tx);
  return rows[0];
}

/** Returns the refunds, the newest first. */
export async function listRefundRows(tx: Tx, payinId: string): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    SELECT ${refundColumns} FROM payin_refunds r WHERE r.company_id = ${tx.companyId} AND r.payin_id = ${payinId}
    ORDER BY r.created_at DESC, r.id DESC
  `.execute(tx);
  return rows;
}

/** Ends a refund; returns undefined when it had ended already. `error`: the network's reason for a failure. */
export async function finishRefund(
  tx: Tx,
  id: string,
  error: string | null,
  now: Date,
): Promise<RefundRow | undefined> {
  const { rows } = await sql<RefundRow>`
    UPDATE payin_refunds r SET status = ${error === null ? "succeeded" : "failed"}, error = ${error}, finished_at = ${now}, ask_at = NULL
    WHERE r.company_id = ${tx.companyId} AND r.id = ${id} AND r.status = 'processing' RETURNING ${refundColumns}
  `.execute(tx);
  return rows[0];
}

/** Marks refunds under way to be blocked on failure; returns false when there are none. */
export async function blockIfRefundsFail(tx: Tx, payinId: string): Promise<boolean> {
  const { rows } = await sql`
    UPDATE payin_refunds SET blocked_if_failed = amount
    WHERE company_id = ${tx.companyId} AND payin_id = ${payinId} AND status = 'processing' RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

export async function hasRefundOnItsWay(tx: Tx, payinId: string): Promise<boolean> {
  return onlyRow(
    await sql<{ found: boolean }>`
      SELECT EXISTS (SELECT FROM payin_refunds r
        WHERE r.company_id = ${tx.companyId} AND r.payin_id = ${payinId} AND r.status = 'processing') AS found
    `.execute(tx),
  ).found;
}

export interface ClaimedRefund {
  id: string;
  payin_id: string;
  amount: number;
}

/**
 * True when refund `r` of company `c`, for which the network was not asked yet, may leave. A refund that lifted a
 * precautionary block may, even while the function is suspended (PAY-027); the acquirer, not Pix, returns a card sale.
 */
export const sqlMayRefund = sql`(${sqlMayPay} AND (${sqlHolds(sql`'payout_pix_refund'`)} OR r.blocked_if_failed > 0
  OR EXISTS (SELECT FROM payins p WHERE p.company_id = r.company_id AND p.id = r.payin_id AND p.payment_type = 'credit_card')))`;

/**
 * Claims due refunds before the network is asked; they become due again even if this process ends before it learns the
 * result. For a blocked company or a suspended function it claims only refunds that the network was asked for before,
 * because it may have them.
 */
export async function claimDueRefunds(tx: Tx, now: Date, max: number): Promise<ClaimedRefund[]> {
  const { rows } = await sql<ClaimedRefund>`
    UPDATE payin_refunds d
    SET tries = d.tries + 1, ask_at = ${nextRetryAt(now, sql`d.tries`)}
    WHERE d.company_id = ${tx.companyId} AND d.id IN (
      SELECT r.id FROM payin_refunds r ${sqlJoinCompany(sql`r`)}
      WHERE r.company_id = ${tx.companyId} AND r.ask_at <= ${now} AND (r.tries > 0 OR ${sqlMayRefund})
      ORDER BY r.ask_at LIMIT ${max} FOR UPDATE OF r SKIP LOCKED)
    RETURNING d.id, d.payin_id, d.amount
  `.execute(tx);
  return rows;
}
