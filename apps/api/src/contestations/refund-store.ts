/** Refunds of infractions, and every movement of theirs. */
import type { AttemptStatus } from "@malote/domain/infraction";
import { sql } from "kysely";
import { type Cursor, cutPage } from "../platform/db/cursor.ts";
import type { Tx } from "../platform/db/database.ts";

export interface RefundRow {
  infraction_id: string;
  transaction_id: string;
  amount: number;
  refunded_amount: number;
  monitoring_ends_at: Date;
}

/** Adds a refund; returns false when it exists already. */
export async function insertRefund(
  tx: Tx,
  refund: { infractionId: string; amount: number; now: Date; monitoringEndsAt: Date },
): Promise<boolean> {
  const { infractionId, amount, now, monitoringEndsAt } = refund;
  const { rows } = await sql`
    INSERT INTO infraction_refunds (company_id, infraction_id, status, amount, begun_at, monitoring_ends_at)
    VALUES (${tx.companyId}, ${infractionId}, 'pending', ${amount}, ${now}, ${monitoringEndsAt})
    ON CONFLICT DO NOTHING RETURNING infraction_id
  `.execute(tx);
  return rows.length > 0;
}

/**
 * Locks the refunds that lack money, the oldest first, and returns them in that order: one transaction collects for
 * all.
 */
export async function lockPendingRefunds(tx: Tx, infractionId?: string): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    SELECT r.infraction_id, r.amount, r.refunded_amount, r.monitoring_ends_at, i.transaction_id
    FROM infraction_refunds r JOIN infractions i ON i.company_id = r.company_id AND i.id = r.infraction_id
    WHERE r.company_id = ${tx.companyId} AND r.status = 'pending'
      AND (${infractionId ?? null}::uuid IS NULL OR r.infraction_id = ${infractionId ?? null}::uuid)
    ORDER BY r.begun_at, r.infraction_id FOR UPDATE OF r
  `.execute(tx);
  return rows;
}

/** Adds to the refunded amount, and closes the refund when it is complete. */
export async function addReturned(tx: Tx, infractionId: string, amount: number, now: Date): Promise<void> {
  await sql`
    UPDATE infraction_refunds SET refunded_amount = refunded_amount + ${amount}, refund_date = ${now},
      status = CASE WHEN refunded_amount + ${amount} = amount THEN 'closed' ELSE 'pending' END
    WHERE company_id = ${tx.companyId} AND infraction_id = ${infractionId}
  `.execute(tx);
}

/** Ends a refund; returns false when it has ended already or never began. */
export async function endRefund(
  tx: Tx,
  infractionId: string,
  status: "closed" | "canceled",
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE infraction_refunds SET status = ${status}
    WHERE company_id = ${tx.companyId} AND infraction_id = ${infractionId} AND status = 'pending' RETURNING infraction_id
  `.execute(tx);
  return rows.length > 0;
}

export interface MovementRow {
  id: string;
  attempt_status: AttemptStatus;
  attempt_date: Date;
  amount: number;
  return_id: string | null;
}

export async function insertMovement(tx: Tx, infractionId: string, movement: MovementRow): Promise<void> {
  const { id, attempt_status, attempt_date, amount, return_id } = movement;
  await sql`
    INSERT INTO infraction_refund_movements (company_id, id, infraction_id, attempt_status, attempt_date, amount, return_id)
    VALUES (${tx.companyId}, ${id}, ${infractionId}, ${attempt_status}, ${attempt_date}, ${amount}, ${return_id})
  `.execute(tx);
}

/** Returns movements from the cursor on, one more than the page shows. */
export async function listMovements(
  tx: Tx,
  infractionId: string,
  search: string,
  cursor: Cursor | undefined,
  size: number,
): Promise<MovementRow[]> {
  const { behind, order } = cutPage(cursor, size, sql`m.attempt_date`, sql`m.id`);
  const { rows } = await sql<MovementRow>`
    SELECT m.id, m.attempt_status, m.attempt_date, m.amount, m.return_id FROM infraction_refund_movements m
    WHERE m.company_id = ${tx.companyId} AND m.infraction_id = ${infractionId}
      AND (${search} = '' OR strpos(lower(m.return_id), lower(${search})) > 0) AND ${behind} ${order}
  `.execute(tx);
  return rows;
}
