/** The statuses from which a row may take a step. */
import { statusesBefore } from "@malote/domain/transitions";
import { type RawBuilder, sql } from "kysely";

type Table = Readonly<Record<string, readonly string[]>>;
/** The statuses that may go to each of `To`. */
type Before<T extends Table, To> = {
  [From in keyof T]: [To] extends [T[From][number]] ? From : never;
}[keyof T];

/**
 * The statuses that may become `to`, or each of several, by the domain's table: as `('A', 'B')`, a text that a
 * prepared statement and a partial index keep. `from`: those that one action moves; a status that may not take the
 * step does not compile.
 */
export function movesTo<const T extends Table, const To extends keyof T & string>(
  transitions: T,
  to: To | readonly To[],
  from?: readonly (Before<T, To> & string)[],
): RawBuilder<unknown> {
  const statuses = from ?? statusesBefore<string>(transitions, ...[to].flat());
  // No step leads to a first status: the list is empty.
  return statuses.length === 0 ? sql`(NULL)` : sql`(${sql.join(statuses.map((status) => sql.lit(status)))})`;
}
