/** Whom a batch pays is saved by itself, and what became of the payment is told of them (decision 0014). */
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";

const destinationOf = (
  t: RawBuilder<unknown>,
) => sql`receiver_destination(${t}.pix_key_type, ${t}.pix_key, ${t}.bank_ispb,
  ${t}.agency, ${t}.account, ${t}.account_digit, ${t}.account_type, ${t}.tax_id)`;
const destination = destinationOf(sql`t`);

/**
 * The job `remember-receivers`, asked for when a batch goes on its way and when all of its payments have an outcome. Two
 * statements for a batch of any size. Those already saved keep what people wrote about them.
 */
export async function rememberReceivers(tx: Tx, batchId: string, now: Date): Promise<void> {
  // A billet is paid to whoever issued it: there is nobody to send money to again.
  const ofBatch = sql`t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND t.payment_method <> 'BILLET'`;
  await sql`
    INSERT INTO receivers (company_id, id, name, tax_id, email, bank_ispb, agency, agency_digit, account, account_digit,
      account_type, pix_key_type, pix_key, created_at)
    SELECT DISTINCT ON (${destination}) t.company_id, uuidv7(), t.name, t.tax_id, t.email, t.bank_ispb, t.agency,
      t.agency_digit, t.account, t.account_digit, t.account_type, t.pix_key_type, t.pix_key, ${now}::timestamptz
    FROM transfers t WHERE ${ofBatch}
      AND NOT EXISTS (SELECT FROM receivers r WHERE r.company_id = t.company_id AND r.destination = ${destination})
    -- In one line, so that two batches with the same receivers do not wait for each other in a circle.
    ORDER BY ${destination}, t.position, t.id
    ON CONFLICT (company_id, destination) DO NOTHING
  `.execute(tx);
  await sql`
    UPDATE receivers r SET status = o.status, status_description = o.reason
    FROM (
      SELECT DISTINCT ON (destination) destination, status, reason
      FROM (
        SELECT ${destination} AS destination, t.position, t.id,
          CASE WHEN t.status IN ('TRANSFERRED', 'FINISHED') THEN 'VERIFIED' ELSE 'FAILED' END AS status,
          CASE WHEN t.status IN ('FAILED', 'RETURNED') THEN t.status_description END AS reason
        FROM transfers t WHERE ${ofBatch} AND t.status IN ('TRANSFERRED', 'FINISHED', 'FAILED', 'RETURNED')
      ) told
      -- Money that arrived once says more than an attempt that failed.
      ORDER BY destination, status DESC, position, id
    ) o
    WHERE r.company_id = ${tx.companyId} AND r.destination = o.destination
      AND (r.status, r.status_description) IS DISTINCT FROM (o.status, o.reason)
  `.execute(tx);
}
