/** Counts of a period, as sums over `payment_days`; their cost does not depend on the number of payments. */
import type { CalendarDate } from "@malote/domain/calendar";
import type { PaymentStatus } from "@malote/domain/payment-status";
import { sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";

export interface Period {
  start: CalendarDate;
  end: CalendarDate;
}

const counted = (tx: Tx, { start, end }: Period, statuses: readonly PaymentStatus[]) => sql`
  d.company_id = ${tx.companyId} AND d.day BETWEEN ${start}::date AND ${end}::date
  AND d.status = ANY(${statuses}::text[]) AND d.payments > 0`;

/**
 * Returns a count for each month or day of the period, named by its first day; a month counts only its days within the
 * period.
 */
export async function countPer(
  tx: Tx,
  unit: "month" | "day",
  period: Period,
  statuses: readonly PaymentStatus[],
): Promise<{ date: string; quantity: number }[]> {
  const { rows } = await sql<{ date: string; quantity: number }>`
    SELECT to_char(u.first, 'YYYY-MM-DD') AS date, coalesce(c.payments, 0)::int AS quantity
    FROM generate_series(date_trunc(${unit}, ${period.start}::date::timestamp), ${period.end}::date::timestamp,
      ('1 ' || ${unit})::interval) AS u (first)
    LEFT JOIN (
      SELECT date_trunc(${unit}, d.day::timestamp) AS first, sum(d.payments) AS payments
      FROM payment_days d WHERE ${counted(tx, period, statuses)} GROUP BY 1
    ) c ON c.first = u.first
    ORDER BY u.first
  `.execute(tx);
  return rows;
}

/** Returns counts by the ISPB of the receiver's bank, which is empty for payments by Pix key. */
export async function countPerBank(
  tx: Tx,
  period: Period,
  status: PaymentStatus,
): Promise<{ ispb: string; quantity: number }[]> {
  const { rows } = await sql<{ ispb: string; quantity: number }>`
    SELECT d.bank_ispb AS ispb, sum(d.payments)::int AS quantity
    FROM payment_days d WHERE ${counted(tx, period, [status])} GROUP BY 1
  `.execute(tx);
  return rows;
}

export async function countPerStatus(
  tx: Tx,
  period: Period,
  statuses: readonly PaymentStatus[],
): Promise<Map<PaymentStatus, number>> {
  const { rows } = await sql<{ status: PaymentStatus; quantity: number }>`
    SELECT d.status, sum(d.payments)::int AS quantity
    FROM payment_days d WHERE ${counted(tx, period, statuses)} GROUP BY 1
  `.execute(tx);
  return new Map(rows.map(({ status, quantity }) => [status, quantity]));
}

/** Returns counts by reason, which is empty for payments that were returned without one. */
export async function countPerReason(
  tx: Tx,
  period: Period,
  statuses: readonly PaymentStatus[],
): Promise<{ reason: string; quantity: number }[]> {
  const { rows } = await sql<{ reason: string; quantity: number }>`
    SELECT d.reason, sum(d.payments)::int AS quantity
    FROM payment_days d WHERE ${counted(tx, period, statuses)} GROUP BY 1
  `.execute(tx);
  return rows;
}
