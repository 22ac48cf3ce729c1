/** Charges among the payins: open ones, those to ask the network about, and those to cancel. */
import { saoPauloDate } from "@malote/domain/calendar";
import { sql } from "kysely";
import { sqlHasDueReceivables } from "../card-receivables/index.ts";
import { listCompaniesWhere } from "../company/index.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { nextRetryAt } from "../platform/db/next-retry.ts";
import { sqlMayRefund } from "./refund-store.ts";
import { type PayinRow, paidStatuses, payinColumns } from "./store.ts";

/** True when the link of payin `p` was deleted or paid another way. */
const isCalledOff = sql<boolean>`(
  EXISTS (SELECT FROM payment_links l WHERE l.company_id = p.company_id AND l.id = p.payment_link_id AND l.removed_at IS NOT NULL)
  OR EXISTS (SELECT FROM payins o WHERE o.company_id = p.company_id AND o.payment_link_id = p.payment_link_id
    AND o.status = ANY(${paidStatuses})))`;

export type DueCharge = PayinRow & { called_off: boolean };

/**
 * Claims charges before the network is asked; they become due again even if this process ends before it learns the
 * result.
 */
export async function claimDueCharges(tx: Tx, now: Date, max: number): Promise<DueCharge[]> {
  const { rows } = await sql<DueCharge>`
    WITH due AS (
      SELECT p.id, ${isCalledOff} AS called_off FROM payins p
      WHERE p.company_id = ${tx.companyId} AND p.status = 'pending' AND p.ask_at <= ${now} AND (p.charged_at IS NULL OR ${isCalledOff})
      ORDER BY p.ask_at LIMIT ${max} FOR UPDATE OF p SKIP LOCKED)
    UPDATE payins p SET tries = p.tries + 1, ask_at = ${nextRetryAt(now, sql`p.tries`)}
    FROM due WHERE p.company_id = ${tx.companyId} AND p.id = due.id
    RETURNING ${payinColumns}, due.called_off
  `.execute(tx);
  return rows;
}

/** Returns whether a card is being charged for this link by another charge than `except`. */
export async function hasPendingSale(tx: Tx, paymentLinkId: string, except: string | null): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM payins WHERE company_id = ${tx.companyId} AND payment_link_id = ${paymentLinkId} AND id IS DISTINCT FROM ${except}
      AND payment_type = 'credit_card' AND status = 'pending'
  `.execute(tx);
  return rows.length > 0;
}

export async function listPendingCharges(tx: Tx, paymentLinkId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM payins WHERE company_id = ${tx.companyId} AND payment_link_id = ${paymentLinkId} AND status = 'pending'
  `.execute(tx);
  return rows.map(({ id }) => id);
}

/** Returns companies, among all, with a charge or refund to ask about or a due receivable. */
export function listCompaniesWithDueWork(tx: AnyTx, now: Date): Promise<string[]> {
  return listCompaniesWhere(
    tx,
    sql`${sqlHasDueReceivables(saoPauloDate(now))}
      OR EXISTS (SELECT FROM payins p WHERE p.company_id = c.company_id AND p.status = 'pending' AND p.ask_at <= ${now}
        AND (p.charged_at IS NULL OR ${isCalledOff}))
      OR EXISTS (SELECT FROM payin_refunds r WHERE r.company_id = c.company_id AND r.ask_at <= ${now}
        AND (r.tries > 0 OR ${sqlMayRefund}))`,
  );
}
