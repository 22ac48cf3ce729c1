import { type RawBuilder, sql } from "kysely";

/**
 * SQL expression for the next attempt of an action that failed `tries` times: exponential backoff from the first to the
 * longest wait.
 */
export const nextRetryAt = (
  now: Date,
  tries: RawBuilder<unknown>,
  { firstSeconds, longestSeconds } = { firstSeconds: 10, longestSeconds: 3_600 },
) =>
  // Bounded, because a power outside the range of a double is an error.
  sql`${now}::timestamptz + least(${longestSeconds}, ${firstSeconds} * 2 ^ least(${tries}, 12)) * interval '1 second'`;
