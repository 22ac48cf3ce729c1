/** Use of the company's limits by a batch, in the groups in which its payments leave. */
import type { CalendarDate } from "@malote/domain/calendar";
import type { LimitWindow, SumPeriod } from "@malote/domain/payment-limits";
import type { PaymentDay } from "@malote/domain/payment-moment";
import { sql } from "kysely";
import type { LimitUse } from "../../limits/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { sqlIsOfKind } from "../column-lists.ts";
import { sqlClosesEarly } from "../rules/rules-sql.ts";

/** Payments of a batch that leave at the same moment, because the network accepts their kind at certain hours only. */
export interface PaymentGroup extends PaymentDay {
  value: number;
}

/** Payment group with the limit period in which it counts and the day on which that period begins. */
export interface BatchLimitUse extends PaymentGroup {
  period: SumPeriod;
  on: CalendarDate;
}

export const isEarly = sql`(${sqlIsOfKind.BILLET} AND ${sqlClosesEarly})`;

export async function sumGroups(tx: Tx, batchId: string): Promise<PaymentGroup[]> {
  const { rows } = await sql<PaymentGroup>`
    ${prepared} SELECT t.payment_method AS method, t.payment_date AS day, ${isEarly} AS "isEarly", sum(t.value)::bigint AS value
    FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} GROUP BY 1, 2, 3
  `.execute(tx);
  return rows;
}

/** Stores the limit use of the batch, until its payments store it themselves. */
export async function saveLimitUses(tx: Tx, id: string, uses: readonly BatchLimitUse[]): Promise<void> {
  await sql`
    ${prepared} UPDATE batches SET limit_takes = ${JSON.stringify(uses)}::jsonb
    WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
}

/**
 * Returns the groups of a closed batch with their stored limit use. A batch closed before limits were summed has no
 * stored use: its groups have no period and count for nothing.
 */
export async function listGroupsWithUse(
  tx: Tx,
  id: string,
): Promise<(PaymentGroup & Partial<Pick<BatchLimitUse, "period" | "on">>)[]> {
  const { limit_takes: uses } = onlyRow(
    await sql<{ limit_takes: BatchLimitUse[] | null }>`
    SELECT limit_takes FROM batches WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx),
  );
  return uses ?? sumGroups(tx, id);
}

/** Stores why a batch keeps waiting, and the instant before which it is not retried automatically. */
export async function postponeForLimit(tx: Tx, id: string, reason: string, until: Date): Promise<void> {
  await sql`
    UPDATE batches SET waiting_reason = ${reason}, limited_until = ${until}
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status = 'WAITING'
  `.execute(tx);
}

/** Returns the uses of the payments; payments older than the sums have none. */
export async function listUsesOfPayments(
  tx: Tx,
  which: { ids: readonly string[] } | { batchId: string },
): Promise<LimitUse[]> {
  const chosen =
    "ids" in which ? sql`t.id = ANY(${which.ids}::uuid[])` : sql`t.batch_id = ${which.batchId}::uuid`;
  const { rows } = await sql<LimitUse>`
    SELECT t.limit_day AS day, t.limit_period AS period, t.payment_method AS method, sum(t.value)::bigint AS value
    FROM transfers t WHERE t.company_id = ${tx.companyId} AND ${chosen} AND t.limit_day IS NOT NULL
    GROUP BY 1, 2, 3
  `.execute(tx);
  return rows;
}

export async function saveLimitWindow(tx: Tx, id: string, { day, period }: LimitWindow): Promise<void> {
  await sql`
    UPDATE transfers SET limit_day = ${day}, limit_period = ${period} WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
}
