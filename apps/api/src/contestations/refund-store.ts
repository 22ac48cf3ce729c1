/** Money that goes back to payers, and every attempt. */
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

/** False when it has begun before. */
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

/** Those that lack money, the oldest first, locked in that order: one transaction collects for all of them. */
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

/** Grows what went back, and closes a refund that is whole. */
export async function addReturned(tx: Tx, infractionId: string, amount: number, now: Date): Promise<void> {
  await sql`
    UPDATE infraction_refunds SET refunded_amount = refunded_amount + ${amount}, refund_date = ${now},
      status = CASE WHEN refunded_amount + ${amount} = amount THEN 'closed' ELSE 'pending' END
    WHERE company_id = ${tx.companyId} AND infraction_id = ${infractionId}
  `.execute(tx);
}

/** False when it is over already, or never began. */
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

/** One more than the page shows, from the cursor on. */
export async function findMovements(
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
