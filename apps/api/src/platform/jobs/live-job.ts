/** The queue's jobs in the statements of features. */
import { type RawBuilder, sql } from "kysely";
import type { Queue } from "./jobs.ts";

/** SQL condition: a job `j` of the queue waits or runs, and this condition on its data holds. */
export const sqlHasLiveJob = (queue: Queue, isAbout: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`EXISTS (SELECT FROM pgboss.job j WHERE j.name = ${sql.lit(queue)} AND j.state IN ('created', 'retry', 'active')
    AND ${isAbout})`;
