/**
 * Moments of an object: those recorded from events, and those that the object's row holds from before events were
 * recorded.
 */
import type { HistoryMoment, historyActorKinds } from "@malote/contracts/history";
import { sql } from "kysely";
import { sqlIsVisible } from "../payins/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { wholeText } from "../platform/db/whole-text.ts";

export interface NewMoment {
  object_kind: string;
  object_id: string;
  position: number;
  what: string;
  at: string;
  amount: number | null;
  status: string | null;
  reason: string | null;
  attempt: number | null;
  scheduled_for: string | null;
  refund_id: string | null;
  actor_kind: string | null;
  actor_id: string | null;
  actor_name: string | null;
}

/** Inserts moments. A repeated event is a no-op. */
export async function insertMoments(tx: Tx, moments: readonly NewMoment[]): Promise<void> {
  await sql`
    INSERT INTO object_history (company_id, object_kind, object_id, position, what, at, amount, status, reason, attempt,
      scheduled_for, refund_id, actor_kind, actor_id, actor_name)
    SELECT ${tx.companyId}::uuid, m.object_kind, m.object_id, m.position, m.what, m.at, m.amount, m.status, m.reason, m.attempt,
      m.scheduled_for, m.refund_id, m.actor_kind, m.actor_id, m.actor_name
    FROM jsonb_to_recordset(${JSON.stringify(moments, wholeText)}::jsonb)
      AS m (object_kind text, object_id uuid, position bigint, what text, at timestamptz, amount bigint, status text, reason text,
        attempt int, scheduled_for timestamptz, refund_id uuid, actor_kind text, actor_id uuid, actor_name text)
    ON CONFLICT DO NOTHING
  `.execute(tx);
}

export interface MomentRow {
  what: HistoryMoment;
  at: Date;
  amount: number | null;
  status: string | null;
  reason: string | null;
  attempt: number | null;
  scheduled_for: Date | null;
  actor_kind: (typeof historyActorKinds)[number] | null;
  actor_name: string | null;
  kept: boolean;
}

const keptColumns = sql`h.position, h.what, h.at, h.amount, h.status, h.reason, h.attempt, h.scheduled_for, h.refund_id, h.actor_kind,
  h.actor_name`;

/** All moments, newest first. At the same instant, moments of the row come before recorded ones. */
const everyMoment = sql`
  SELECT what, at, amount, status, reason, attempt, scheduled_for, actor_kind, actor_name, kept FROM (
    SELECT k.what, k.at, k.amount, k.status, k.reason, k.attempt, k.scheduled_for, k.actor_kind, k.actor_name, true AS kept, k.position
    FROM kept k
    UNION ALL
    SELECT n.what, n.at, n.amount, n.status, n.reason, NULL, NULL, n.actor_kind, NULL, false, n.place FROM known n
  ) m ORDER BY at DESC, position DESC`;

/**
 * Returns a payment's moments, some tens at most. Includes moments of its batch, because a batch of any size is
 * released in one event. The row holds one time per kind, which is used when no event of that kind was recorded.
 */
export async function listPaymentMoments(
  tx: Tx,
  { id, batchId }: { id: string; batchId: string },
): Promise<MomentRow[]> {
  const { rows } = await sql<MomentRow>`
    WITH payment AS (SELECT * FROM transfers WHERE company_id = ${tx.companyId} AND id = ${id}),
    kept AS MATERIALIZED (
      SELECT ${keptColumns} FROM object_history h
      WHERE h.company_id = ${tx.companyId} AND h.object_kind = 'payment' AND h.object_id = ${id}
      UNION ALL
      SELECT ${keptColumns} FROM object_history h, payment t
      WHERE h.company_id = ${tx.companyId} AND h.object_kind = 'batch' AND h.object_id = ${batchId} AND h.at >= t.created_at
    ), known AS (
      SELECT m.* FROM payment t CROSS JOIN LATERAL (VALUES
        (-5::bigint, 'payment.created', t.created_at, NULL::bigint, NULL::text, NULL::text, NULL::text, ARRAY[]::text[]),
        (-4, 'payment.failed', t.failed_date, t.value, 'FAILED',
          CASE WHEN t.status = 'FAILED' OR (t.status = 'RETURNED' AND t.transfer_date IS NULL) THEN t.status_description END,
          NULL, ARRAY['payment.failed']),
        (-3, 'payment.settled', t.transfer_date, t.value, NULL, NULL, 'network', ARRAY['payment.settled', 'payment.finished']),
        -- The last state reached distinguishes a return by the network from one by the company.
        (-2, CASE WHEN t.transfer_date IS NOT NULL THEN 'payment.returned' WHEN t.failed_date IS NOT NULL THEN 'payment.given_back'
            ELSE 'payment.cancelled' END, t.returned_date, t.value, 'RETURNED',
          CASE WHEN t.transfer_date IS NOT NULL THEN t.status_description END,
          CASE WHEN t.transfer_date IS NOT NULL THEN 'network' END,
          ARRAY['payment.returned', 'payment.given_back', 'payment.cancelled', 'batch.cancelled'])
      ) AS m (place, what, at, amount, status, reason, actor_kind, instead_of)
      WHERE m.at IS NOT NULL AND NOT EXISTS (SELECT FROM kept k WHERE k.what = ANY(m.instead_of))
    )
    ${everyMoment}
  `.execute(tx);
  return rows;
}

/** Returns true when the details call shows this payin. */
export async function isPayinShown(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    SELECT p.id FROM payins p WHERE p.company_id = ${tx.companyId} AND p.id = ${id} AND ${sqlIsVisible}
  `.execute(tx);
  return rows.length > 0;
}

/** Returns a payin's moments. The first moment of unrequested money is its arrival. */
export async function listPayinMoments(tx: Tx, id: string): Promise<MomentRow[]> {
  const { rows } = await sql<MomentRow>`
    WITH payin AS (SELECT * FROM payins WHERE company_id = ${tx.companyId} AND id = ${id}),
    kept AS MATERIALIZED (
      SELECT ${keptColumns} FROM object_history h
      WHERE h.company_id = ${tx.companyId} AND h.object_kind = 'payin' AND h.object_id = ${id}
    ), known AS (
      SELECT m.place, m.what, m.at, m.amount, m.status, m.reason, m.actor_kind FROM payin p CROSS JOIN LATERAL (VALUES
        (-7::bigint, 'payin.created', CASE WHEN p.received_at IS DISTINCT FROM p.created_at THEN p.created_at END, NULL::bigint,
          NULL::text, NULL::text, NULL::text, ARRAY[]::text[]),
        (-6, 'payin.received', p.received_at, nullif(p.received_amount, 0), NULL, NULL, 'network',
          ARRAY['payin.received', 'payin.instalment_received']),
        (-5, 'payin.blocked', p.blocked_at, nullif(p.block_amount, 0), NULL, p.block_reason, 'network', ARRAY['payin.blocked']),
        (-4, CASE p.status WHEN 'unauthorized' THEN 'payin.ended' ELSE 'payin.rejected' END, p.rejected_at, NULL,
          CASE p.status WHEN 'unauthorized' THEN p.status END, p.details ->> 'rejection_reason', 'network',
          ARRAY['payin.ended', 'payin.rejected']),
        (-3, 'payin.unblocked', p.unblocked_at, nullif(p.block_amount, 0), NULL, NULL, 'network', ARRAY['payin.unblocked'])
      ) AS m (place, what, at, amount, status, reason, actor_kind, instead_of)
      WHERE m.at IS NOT NULL AND NOT EXISTS (SELECT FROM kept k WHERE k.what = ANY(m.instead_of))
      UNION ALL
      SELECT m.place, m.what, m.at, r.amount, NULL, m.reason, m.actor_kind FROM payin_refunds r CROSS JOIN LATERAL (VALUES
        (-2::bigint, 'payin.refund_asked', CASE r.nature WHEN 'asked' THEN r.created_at END, NULL::text, NULL::text),
        (-1, CASE r.status WHEN 'failed' THEN 'payin.refund_failed' ELSE 'payin.refunded' END, r.finished_at, r.error, 'network')
      ) AS m (place, what, at, reason, actor_kind)
      WHERE r.company_id = ${tx.companyId} AND r.payin_id = ${id} AND m.at IS NOT NULL
        AND NOT EXISTS (SELECT FROM kept k WHERE k.what = m.what AND k.refund_id = r.id)
    )
    ${everyMoment}
  `.execute(tx);
  return rows;
}
