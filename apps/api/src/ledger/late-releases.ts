import { type RawBuilder, sql } from "kysely";

/**
 * A closed batch leaves within seconds. One that is kept from it holds money that nobody is paid and nobody has back, and every
 * sum is right all the same. The newest entry is a moment of the product's clock too, which may run ahead of the caller's;
 * where it is the only one, as for a backup, only what was late before it counts.
 */
export const lateReleases = (now: Date | undefined): RawBuilder<unknown> => sql`
  SELECT company_id, id::text AS place FROM batches
  WHERE status = 'PENDING' AND closed_at < greatest(${now ?? null}::timestamptz, (SELECT max(last_at) FROM ledger_accounts))
    - interval '15 minutes'`;

export const lateReleaseRule = "a closed batch is on its way within a quarter of an hour";
