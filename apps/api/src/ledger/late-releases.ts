import { type RawBuilder, sql } from "kysely";

/**
 * A closed batch is released within seconds. One that is not holds money that is neither paid nor given back,
 * although every sum is right. The newest entry is a moment of the product's clock too, which may be ahead of the
 * caller's; where it is the only one, as for a backup, only batches that were late before it count.
 */
export const lateReleases = (now: Date | undefined): RawBuilder<unknown> => sql`
  SELECT company_id, id::text AS place FROM batches
  WHERE status = 'PENDING' AND closed_at < greatest(${now ?? null}::timestamptz, (SELECT max(last_at) FROM ledger_accounts))
    - interval '15 minutes'`;

export const lateReleaseRule = "a closed batch is on its way within a quarter of an hour";
