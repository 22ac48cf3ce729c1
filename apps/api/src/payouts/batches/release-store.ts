/** Release of a closed batch's payments. The caller holds the lock of the batch's row. */

import { paymentTransitions } from "@malote/domain/payment-status";
import { type RawBuilder, sql } from "kysely";
import { countBeforeAndAfter, type MovedCount } from "../../indicators/index.ts";
import type { AnyTx, Tx } from "../../platform/db/database.ts";
import { movesTo } from "../../platform/db/moves-to.ts";
import { sqlIsChargeTaken } from "../rules/rules-sql.ts";
import { type BatchLimitUse, isEarly, type PaymentGroup } from "./limit-store.ts";

export type LeavingGroup = PaymentGroup & Partial<Pick<BatchLimitUse, "period" | "on">> & { at: Date };

/**
 * Updates the payments of a batch, each joined with its group as `m`. Stores the limit period in which a payment
 * counts, whatever its outcome.
 */
function writeLeaving(
  tx: Tx,
  batchId: string,
  groups: readonly LeavingGroup[],
  { set, where }: { set: RawBuilder<unknown>; where: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const moments = JSON.stringify(groups.map((group) => ({ ...group, at: group.at.toISOString() })));
  return sql`
    WITH moments AS MATERIALIZED (
      SELECT method, day, "isEarly", at, period, "on" FROM jsonb_to_recordset(${moments}::jsonb)
        AS m (method text, day date, "isEarly" boolean, at timestamptz, period text, "on" date))
    UPDATE transfers t SET ${set}, limit_period = m.period, limit_day = m."on"
    FROM moments m
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND ${where}
      AND m.method = t.payment_method AND m."isEarly" = ${isEarly}
      -- An equality, so that the index serves each day.
      AND coalesce(m.day, 'infinity') = coalesce(t.payment_date, 'infinity')`;
}

export interface LostCharge extends MovedCount {
  id: string;
  value: number;
}

/**
 * Fails payments whose charge another payment has taken: a second active payment of a charge would block the release of
 * the whole batch.
 */
export async function failTakenCharges(
  tx: Tx,
  batchId: string,
  { groups, reason, now }: { groups: readonly LeavingGroup[]; reason: string; now: Date },
): Promise<LostCharge[]> {
  const { rows } = await sql<LostCharge>`
    ${writeLeaving(tx, batchId, groups, {
      set: sql`status = 'FAILED', failed_date = ${now}, status_description = ${reason}`,
      where: sql`t.status IN ${movesTo(paymentTransitions, "FAILED", ["CREATED"])} AND ${sqlIsChargeTaken}`,
    })}
    RETURNING t.id, coalesce(t.value, 0) AS value, ${countBeforeAndAfter}
  `.execute(tx);
  return rows;
}

/** Releases every payment of a closed batch in one statement: at once, or scheduled for its day. */
export async function releasePayments(
  tx: Tx,
  batchId: string,
  now: Date,
  groups: readonly LeavingGroup[],
): Promise<void> {
  await writeLeaving(tx, batchId, groups, {
    set: sql`status = CASE WHEN m.at > ${now}::timestamptz THEN 'SCHEDULED' ELSE 'RECEIVED' END, execute_at = m.at`,
    where: sql`t.status IN ${movesTo(paymentTransitions, ["SCHEDULED", "RECEIVED"], ["CREATED"])}`,
  }).execute(tx);
}

/** Lists the batches closed before `closedBefore` that are still PENDING, oldest first. */
export async function listOverdueClosings(
  tx: AnyTx,
  closedBefore: Date,
): Promise<{ company_id: string; id: string; closed_at: Date }[]> {
  const { rows } = await sql<{ company_id: string; id: string; closed_at: Date }>`
    SELECT company_id, id, coalesce(closed_at, created_at) AS closed_at FROM batches WHERE status = 'PENDING' AND closed_at < ${closedBefore} ORDER BY batches.closed_at
  `.execute(tx);
  return rows;
}
