/** SQL lists of the statuses from which a row may change to another status. */
import { statusesBefore } from "@malote/domain/transitions";
import { type RawBuilder, sql } from "kysely";

type Table = Readonly<Record<string, readonly string[]>>;
/** Statuses that may change to each of `To`. */
type Before<T extends Table, To> = {
  [From in keyof T]: [To] extends [T[From][number]] ? From : never;
}[keyof T];

/**
 * Returns the statuses that may change to `to`, or to each of several, by the domain's table. The result is literal
 * text such as `('A', 'B')`, so that prepared statements and partial indexes match. `from` narrows the list to one
 * action; an impossible status does not compile.
 */
export function movesTo<const T extends Table, const To extends keyof T & string>(
  transitions: T,
  to: To | readonly To[],
  from?: readonly (Before<T, To> & string)[],
): RawBuilder<unknown> {
  const statuses = from ?? statusesBefore<string>(transitions, ...[to].flat());
  // An initial status has no predecessor: the list is empty.
  return statuses.length === 0 ? sql`(NULL)` : sql`(${sql.join(statuses.map((status) => sql.lit(status)))})`;
}
