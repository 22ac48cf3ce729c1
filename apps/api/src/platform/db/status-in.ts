/** SQL lists of statuses that the domain names. */
import { type RawBuilder, sql } from "kysely";

/**
 * Returns the statuses as `('A', 'B')`, for `IN` and `NOT IN`: literal text, so that prepared statements and partial
 * indexes match.
 */
export const statusIn = <Status extends string>(statuses: readonly Status[]): RawBuilder<unknown> =>
  sql`(${sql.join(statuses.map((status) => sql.lit(status)))})`;
