/** SQL lists of statuses and types that the domain names. */
import { type RawBuilder, sql } from "kysely";

/**
 * Returns the statuses as `('A', 'B')`, for `IN` and `NOT IN`: literal text, so that prepared statements and partial
 * indexes match.
 */
export const statusIn = <Status extends string>(statuses: readonly Status[]): RawBuilder<unknown> =>
  sql`(${sql.join(statuses.map((status) => sql.lit(status)))})`;

/** Returns the types as `('A', 'B')`, like `statusIn`. */
export const typeIn = <Type extends string>(types: readonly Type[]): RawBuilder<unknown> => statusIn(types);
