/** SQL lists of statuses and types that the domain names. */
import { type RawBuilder, sql } from "kysely";

/**
 * Returns the statuses as `('A', 'B')`, for `IN` and `NOT IN`: literal text, so that prepared statements and partial
 * indexes match.
 */
export const statusIn = <Status extends string>(statuses: readonly Status[]): RawBuilder<unknown> =>
  sql`(${sql.join(statuses.map((status) => sql.lit(status)))})`;

/** As `statusIn`, of types: `type IN ('A', 'B')`. */
export const typeIn = statusIn;
