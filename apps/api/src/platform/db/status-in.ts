/** Sets of statuses that the domain names, in statements. */
import { type RawBuilder, sql } from "kysely";

/** The statuses as `('A', 'B')`, for `IN` and `NOT IN`: text that a prepared statement and a partial index keep. */
export const statusIn = <Status extends string>(statuses: readonly Status[]): RawBuilder<unknown> =>
  sql`(${sql.join(statuses.map((status) => sql.lit(status)))})`;
