/**
 * Checks the books of every company for inconsistencies; each fault names its first broken row. Runs each minute, by
 * command, and at the end of every reliability test.
 */
import { type RawBuilder, sql } from "kysely";
import type { AnyTx, Database } from "../platform/db/database.ts";
import { rulesOfEverything, rulesSince } from "./books-rules.ts";
import { missingConnectionRule, missingConnections } from "./missing-connections.ts";

export interface BooksFault {
  rule: string;
  companyId: string;
  where: string;
}

/**
 * Closed batches that were not released, which takes seconds. Such a batch holds money that is neither paid nor
 * returned, although every sum is right. The newest ledger entry counts as the current time when it is later than
 * `now`; without `now`, as for a backup, it is the only reference.
 */
const lateReleases = (now: Date | undefined): RawBuilder<unknown> => sql`
  SELECT company_id, id::text AS place FROM batches
  WHERE status = 'PENDING' AND closed_at < greatest(${now ?? null}::timestamptz, (SELECT max(last_at) FROM ledger_accounts))
    - interval '15 minutes'`;

type NamedRule = readonly [rule: string, broken: RawBuilder<unknown>];

/** Rules that depend on the time and the connections of the installation. */
const rulesOfInstallation = (
  now: Date | undefined,
  connections: readonly string[] | undefined,
): readonly NamedRule[] => [
  ["a closed batch is under way within a quarter of an hour", lateReleases(now)],
  [missingConnectionRule, missingConnections(connections)],
];

async function listFaults(tx: AnyTx, rules: readonly NamedRule[]): Promise<BooksFault[]> {
  const faults: BooksFault[] = [];
  for (const [rule, broken] of rules) {
    const { rows } = await sql<{ company_id: string; place: string }>`
      SELECT company_id, place FROM (${broken}) broken ORDER BY company_id, place LIMIT 1
    `.execute(tx);
    if (rows[0]) faults.push({ rule, companyId: rows[0].company_id, where: rows[0].place });
  }
  return faults;
}

/**
 * Checks the books as of now, with the connections of a running installation. A stopped copy is checked as of its
 * newest entry.
 */
export async function checkBooks(
  db: Database,
  now?: Date,
  connections?: readonly string[],
): Promise<BooksFault[]> {
  return db.withSystem(async (tx) => {
    // One snapshot for all rules: otherwise a posting between two of them would look like a fault.
    await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.execute(tx);
    return listFaults(tx, [...Object.entries(rulesOfEverything), ...rulesOfInstallation(now, connections)]);
  });
}

/** Checks the rows written after the horizon; expects a transaction with one snapshot. */
export const checkRecentBooks = (
  tx: AnyTx,
  horizon: number,
  now?: Date,
  connections?: readonly string[],
): Promise<BooksFault[]> =>
  listFaults(tx, [...Object.entries(rulesSince(horizon)), ...rulesOfInstallation(now, connections)]);
