/** What a batch counts for in the limits of its company, in the groups its payments leave in. */
import type { CalendarDate } from "@malote/domain/calendar";
import type { PaymentType } from "@malote/domain/limits";
import type { SumPeriod } from "@malote/domain/payment-limits";
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { onlyRow } from "../../platform/db/only-row.ts";
import { prepared } from "../../platform/db/prepared.ts";
import { sqlClosesEarly } from "../rules/rules-sql.ts";

/** Payments of a batch that leave at the same moment, because the network takes their kind at certain hours only. */
export interface PaymentGroup {
  method: PaymentType;
  /** The day asked for; null is as soon as possible. */
  day: string | null;
  /** True for boletos whose hours end early. */
  isEarly: boolean;
  value: number;
}

/** A group with the period it counts in, which begins on a day. */
export interface LimitTake extends PaymentGroup {
  period: SumPeriod;
  on: CalendarDate;
}

export const isEarly = sql`(t.payment_method = 'BILLET' AND ${sqlClosesEarly})`;

export async function sumGroups(tx: Tx, batchId: string): Promise<PaymentGroup[]> {
  const { rows } = await sql<PaymentGroup>`
    ${prepared} SELECT t.payment_method AS method, t.payment_date AS day, ${isEarly} AS "isEarly", sum(t.value)::bigint AS value
    FROM transfers t WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} GROUP BY 1, 2, 3
  `.execute(tx);
  return rows;
}

/** What the batch counts for is kept with it until its payments say so themselves. */
export async function keepLimitTakes(tx: Tx, id: string, takes: readonly LimitTake[]): Promise<void> {
  await sql`
    ${prepared} UPDATE batches SET limit_takes = ${JSON.stringify(takes)}::jsonb
    WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
}

/** The groups of a batch that was closed, with what they count for; one closed before limits were summed counts for nothing. */
export async function takenGroups(
  tx: Tx,
  id: string,
): Promise<(PaymentGroup & Partial<Pick<LimitTake, "period" | "on">>)[]> {
  const { limit_takes: takes } = onlyRow(
    await sql<{ limit_takes: LimitTake[] | null }>`
    SELECT limit_takes FROM batches WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx),
  );
  return takes ?? sumGroups(tx, id);
}

/** Says why a batch goes on waiting, and until when it is not tried again by itself. */
export async function holdBack(tx: Tx, id: string, reason: string, until: Date): Promise<void> {
  await sql`
    UPDATE batches SET waiting_reason = ${reason}, limited_until = ${until}
    WHERE company_id = ${tx.companyId} AND id = ${id} AND status = 'WAITING'
  `.execute(tx);
}
