/** Failed tries and known places, by the hashes of their subjects. */
import { sql } from "kysely";
import type { AnyTx } from "../platform/db/database.ts";

/** Returns those of these places that were seen after the given time. */
export async function listSeen(tx: AnyTx, places: readonly string[], since: Date): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    SELECT subject FROM sign_in_places WHERE subject = ANY(${[...places]}) AND seen_at > ${since}
  `.execute(tx);
  return rows.map(({ subject }) => subject);
}

export async function markSeen(tx: AnyTx, places: readonly string[], now: Date): Promise<void> {
  await sql`SELECT remember_places(${[...places]}, ${now})`.execute(tx);
}

/** Removes the failures that no window counts any more. */
export async function removeOldFailures(
  tx: AnyTx,
  [first, second]: readonly [Window, Window],
): Promise<void> {
  await sql`
    DELETE FROM sign_in_failures WHERE (window_minutes = ${first.minutes} AND failed_at <= ${first.before})
      OR (window_minutes = ${second.minutes} AND failed_at <= ${second.before})
  `.execute(tx);
}

interface Window {
  minutes: number;
  before: Date;
}

/** Returns the time of the `n`th failure, counted from the last one back to `since`. */
export async function findNthFailure(
  tx: AnyTx,
  subject: string,
  since: Date,
  n: number,
): Promise<Date | undefined> {
  const { rows } = await sql<{ failed_at: Date }>`
    SELECT failed_at FROM sign_in_failures WHERE subject = ${subject} AND failed_at > ${since}
    ORDER BY failed_at DESC OFFSET ${n - 1} LIMIT 1
  `.execute(tx);
  return rows[0]?.failed_at;
}

export async function insertFailure(
  tx: AnyTx,
  { subject, at, id, minutes }: { subject: string; at: Date; id: string; minutes: number },
): Promise<void> {
  await sql`
    INSERT INTO sign_in_failures (subject, failed_at, id, window_minutes)
    VALUES (${subject}, ${at}, ${id}, ${minutes})
  `.execute(tx);
}

/** Removes the failures of a try that was right. */
export async function removeFailure(
  tx: AnyTx,
  { id, subjects, at }: { id: string; subjects: readonly string[]; at: Date },
): Promise<void> {
  await sql`SELECT forgive_try(${id}, ${[...subjects]}, ${at})`.execute(tx);
}
