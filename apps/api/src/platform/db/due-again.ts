import { type RawBuilder, sql } from "kysely";

/**
 * When an action that failed that many times is due again: twice the wait each time, from the first up to the
 * longest.
 */
export const dueAgain = (
  now: Date,
  tries: RawBuilder<unknown>,
  { firstSeconds, longestSeconds } = { firstSeconds: 10, longestSeconds: 3_600 },
) =>
  // Bounded, because a power past what a double holds is an error.
  sql`${now}::timestamptz + least(${longestSeconds}, ${firstSeconds} * 2 ^ least(${tries}, 12)) * interval '1 second'`;
