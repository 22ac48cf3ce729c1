/** Receivers as the payments of a batch save them. */
import { statusesArrived, statusesWithOutcome, statusesWithReason } from "@malote/domain/payment-status";
import { sql } from "kysely";
import { invalidateFindings, sqlDestination, sqlIsOfKind } from "../payouts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { statusIn } from "../platform/db/status-in.ts";

/**
 * Saves the receivers of a whole batch when it is released and when all its payments have an outcome, and of the given
 * payments as soon as they have one. Needs a fixed number of statements for a batch of any size. Receivers saved before
 * keep what people entered.
 */
export async function rememberReceivers(
  tx: Tx,
  { batchId, paymentIds }: { batchId: string; paymentIds?: readonly string[] | undefined },
  now: Date,
): Promise<void> {
  // A boleto is paid to its issuer and names no receiver for a later payment.
  const ofBatch = sql`t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND ${sqlIsOfKind.TRANSFER}`;
  const moved = paymentIds ? sql`${ofBatch} AND t.id = ANY(${[...paymentIds]}::uuid[])` : ofBatch;
  if (!paymentIds)
    await sql`
    INSERT INTO receivers (company_id, id, name, tax_id, email, bank_ispb, agency, agency_digit, account, account_digit,
      account_type, pix_key_type, pix_key, created_at)
    SELECT DISTINCT ON (${sqlDestination}) t.company_id, uuidv7(), t.name, t.tax_id, t.email, t.bank_ispb, t.agency,
      t.agency_digit, t.account, t.account_digit, t.account_type, t.pix_key_type, t.pix_key, ${now}::timestamptz
    FROM transfers t WHERE ${ofBatch}
      AND NOT EXISTS (SELECT FROM receivers r WHERE r.company_id = t.company_id AND r.destination = ${sqlDestination})
    -- Locks receivers in one order, so that two batches with the same receivers cannot deadlock.
    ORDER BY ${sqlDestination}, t.position, t.id
    ON CONFLICT (company_id, destination) DO NOTHING
  `.execute(tx);
  await sql`
    UPDATE receivers r SET status = o.status, status_description = o.reason, status_at = o.at
    FROM (
      SELECT DISTINCT ON (destination) destination, status, reason, max(at) OVER (PARTITION BY destination) AS at
      FROM (
        SELECT ${sqlDestination} AS destination, t.position, t.id,
          CASE WHEN t.status IN ${statusIn(statusesArrived)} THEN 'VERIFIED' ELSE 'FAILED' END AS status,
          CASE WHEN t.status IN ${statusIn(statusesWithReason)} THEN t.status_description END AS reason,
          coalesce(CASE t.status WHEN 'FAILED' THEN t.failed_date WHEN 'RETURNED' THEN t.returned_date
            ELSE t.transfer_date END, ${now}::timestamptz) AS at
        FROM transfers t WHERE ${moved} AND t.status IN ${statusIn(statusesWithOutcome)}
      ) moved
      -- A payment that arrived outweighs one that failed.
      ORDER BY destination, status DESC, position, id
    ) o
    WHERE r.company_id = ${tx.companyId} AND r.destination = o.destination
      -- Each move of a payment of the batch emits the event, so a newer payment to the receiver may exist.
      AND (r.status_at IS NULL OR o.at >= r.status_at)
      AND (r.status, r.status_description, r.status_at) IS DISTINCT FROM (o.status, o.reason, o.at)
  `.execute(tx);
  // Separate from the last outcome: a later failure does not change the last payment that arrived.
  await sql`
    UPDATE receivers r SET paid_at = o.at, paid_value = o.value
    FROM (
      SELECT DISTINCT ON (destination) destination, at, value FROM (
        SELECT ${sqlDestination} AS destination, t.id, t.value, t.transfer_date AS at FROM transfers t
        WHERE ${moved} AND t.status IN ${statusIn(statusesArrived)} AND t.transfer_date IS NOT NULL
      ) paid ORDER BY destination, at DESC, id DESC
    ) o
    WHERE r.company_id = ${tx.companyId} AND r.destination = o.destination AND (r.paid_at IS NULL OR o.at >= r.paid_at)
      AND (r.paid_at, r.paid_value) IS DISTINCT FROM (o.at, o.value)
  `.execute(tx);
  await invalidateFindings(tx, now);
}
