import { type RawBuilder, sql } from "kysely";

/**
 * Closed batches that were not released, which takes seconds. Such a batch holds money that is neither paid nor
 * returned, although every sum is right. The newest ledger entry counts as the current time when it is later than
 * `now`; without `now`, as for a backup, it is the only reference.
 */
export const lateReleases = (now: Date | undefined): RawBuilder<unknown> => sql`
  SELECT company_id, id::text AS place FROM batches
  WHERE status = 'PENDING' AND closed_at < greatest(${now ?? null}::timestamptz, (SELECT max(last_at) FROM ledger_accounts))
    - interval '15 minutes'`;

export const lateReleaseRule = "a closed batch is on its way within a quarter of an hour";
