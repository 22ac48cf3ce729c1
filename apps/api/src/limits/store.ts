/** Sums of outgoing payments by period and method, and pending raises. */
import type { PaymentMethod } from "@malote/domain/limits";
import type { LimitPeriod, LimitWindow } from "@malote/domain/payment-limits";
import { sql } from "kysely";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { prepared } from "../platform/db/prepared.ts";

/** Amount that counts in one sum; negative when it no longer counts. */
export interface LimitUse extends LimitWindow {
  method: PaymentMethod;
  value: number;
}

/**
 * Adds to the sums and returns their new values. Locks their rows in one order and before the ledger's, so a
 * transaction that needs the same sum waits for the end of this one.
 */
export async function addUses(tx: Tx, uses: readonly LimitUse[]): Promise<LimitUse[]> {
  if (uses.length === 0) return [];
  const { rows } = await sql<LimitUse>`
    ${prepared} INSERT INTO limit_sums AS s (company_id, day, period, payment_method, value)
    SELECT ${tx.companyId}::uuid, u.day, u.period, u.method, sum(u.value)::bigint
    FROM jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) AS u (day date, period text, method text, value bigint)
    GROUP BY u.day, u.period, u.method ORDER BY u.day, u.period, u.method
    ON CONFLICT (company_id, day, period, payment_method) DO UPDATE SET value = s.value + excluded.value
    RETURNING s.day, s.period, s.payment_method AS method, s.value
  `.execute(tx);
  return rows;
}

/** Returns the sums of some periods; a period without outgoing payments has none. */
export async function readSums(
  tx: Tx,
  windows: readonly (LimitWindow & { method: PaymentMethod })[],
): Promise<LimitUse[]> {
  const { rows } = await sql<LimitUse>`
    SELECT s.day, s.period, s.payment_method AS method, s.value FROM limit_sums s
    JOIN jsonb_to_recordset(${JSON.stringify(windows)}::jsonb) AS w (day date, period text, method text)
      ON w.day = s.day AND w.period = s.period AND w.method = s.payment_method
    WHERE s.company_id = ${tx.companyId}
  `.execute(tx);
  return rows;
}

interface Lowered {
  period: LimitPeriod;
  method: PaymentMethod;
  before: number;
}

/** Adds a lowering after the earlier ones. Expects changes of a company's limits to be serialised. */
export async function insertLowering(
  tx: Tx,
  { id, period, method, before, by, now }: Lowered & { id: string; by: string; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO limit_lowerings (company_id, id, period, payment_method, value_before, lowered_by, lowered_at, position)
    SELECT ${tx.companyId}::uuid, ${id}::uuid, ${period}, ${method}, ${before}::bigint, ${by}::uuid, ${now}::timestamptz,
      coalesce(max(position), 0) + 1
    FROM limit_lowerings WHERE company_id = ${tx.companyId}
  `.execute(tx);
}

/**
 * Returns, for each limit that this person lowered after `since`, its highest earlier value; a later lowering by
 * another person cancels the earlier ones.
 */
export async function listLoweredSince(tx: Tx, by: string, since: Date): Promise<Lowered[]> {
  const { rows } = await sql<Lowered>`
    SELECT l.period, l.payment_method AS method, max(l.value_before) AS before FROM limit_lowerings l
    WHERE l.company_id = ${tx.companyId} AND l.lowered_at > ${since} AND l.lowered_by = ${by} AND NOT EXISTS (
      SELECT FROM limit_lowerings o WHERE o.company_id = l.company_id AND o.period = l.period
        AND o.payment_method = l.payment_method AND o.lowered_by IS DISTINCT FROM ${by}::uuid
        AND o.position > l.position)
    GROUP BY 1, 2
  `.execute(tx);
  return rows;
}

export interface RaiseRow {
  id: string;
  period: LimitPeriod;
  method: PaymentMethod;
  value: number;
  requested_at: Date;
  requested_by_name: string;
  takes_effect_at: Date;
}

const raiseColumns = sql`
  id, period, payment_method AS method, value, requested_at, requested_by_name, takes_effect_at`;

export async function listOpenRaises(tx: Tx): Promise<RaiseRow[]> {
  const { rows } = await sql<RaiseRow>`
    SELECT ${raiseColumns} FROM limit_raises WHERE company_id = ${tx.companyId} AND ended_at IS NULL
    ORDER BY takes_effect_at, id
  `.execute(tx);
  return rows;
}

/** Withdraws the pending raise of a limit before a new one, and returns it. */
export async function replaceRaise(
  tx: Tx,
  limit: { period: LimitPeriod; method: PaymentMethod },
  now: Date,
): Promise<RaiseRow | undefined> {
  const { rows } = await sql<RaiseRow>`
    UPDATE limit_raises SET ended_at = ${now}, ended_as = 'replaced'
    WHERE company_id = ${tx.companyId} AND period = ${limit.period} AND payment_method = ${limit.method} AND ended_at IS NULL
    RETURNING ${raiseColumns}
  `.execute(tx);
  return rows[0];
}

export async function insertRaise(
  tx: Tx,
  raise: Omit<RaiseRow, "requested_at"> & { requested_by: string; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO limit_raises (company_id, id, period, payment_method, value, requested_at, requested_by, requested_by_name,
      takes_effect_at)
    VALUES (${tx.companyId}, ${raise.id}, ${raise.period}, ${raise.method}, ${raise.value}, ${raise.now},
      ${raise.requested_by}, ${raise.requested_by_name}, ${raise.takes_effect_at})
  `.execute(tx);
}

export async function cancelRaise(tx: Tx, id: string, now: Date): Promise<RaiseRow | undefined> {
  const { rows } = await sql<RaiseRow>`
    UPDATE limit_raises SET ended_at = ${now}, ended_as = 'cancelled'
    WHERE company_id = ${tx.companyId} AND id = ${id} AND ended_at IS NULL RETURNING ${raiseColumns}
  `.execute(tx);
  return rows[0];
}

export async function isKnownRaise(tx: Tx, id: string): Promise<boolean> {
  const { rows } =
    await sql`SELECT FROM limit_raises WHERE company_id = ${tx.companyId} AND id = ${id}`.execute(tx);
  return rows.length > 0;
}

/** Ends the raises that are due, and returns them. */
export async function endDueRaises(tx: Tx, now: Date): Promise<RaiseRow[]> {
  const { rows } = await sql<RaiseRow>`
    UPDATE limit_raises SET ended_at = ${now}, ended_as = 'applied'
    WHERE company_id = ${tx.companyId} AND ended_at IS NULL AND takes_effect_at <= ${now} RETURNING ${raiseColumns}
  `.execute(tx);
  return rows;
}

export async function listCompaniesWithDueRaises(tx: AnyTx, now: Date): Promise<string[]> {
  const { rows } = await sql<{ company_id: string }>`
    SELECT DISTINCT company_id FROM limit_raises WHERE ended_at IS NULL AND takes_effect_at <= ${now}
  `.execute(tx);
  return rows.map((row) => row.company_id);
}
