/** Outbox of error reports between browsers and the worker. */
import { createHash } from "node:crypto";
import type { ErrorReport } from "@malote/contracts/error-reports";
import { sql } from "kysely";
import type { AnyTx } from "../platform/db/database.ts";
import { nextRetryAt } from "../platform/db/next-retry.ts";

/** Maximum number of reports that wait while the service does not answer; later ones are dropped. */
const waitingMax = 1_000;
/**
 * Divisor of the free places that one source may use, so that a flood from one or many sources leaves room for others.
 */
const shareOfFree = 4;

/**
 * Returns two bytes of a hash that thousands of networks share: enough to detect a flood, too little to identify a
 * person.
 */
const sourceOf = (network: string): number => createHash("sha256").update(network).digest().readUInt16BE();

export async function insertReports(
  tx: AnyTx,
  reports: readonly (ErrorReport & { id: string })[],
  network: string,
  now: Date,
): Promise<void> {
  const source = sourceOf(network);
  await sql`
    INSERT INTO error_reports (id, call, status, code, request_id, source, seen_at, try_at)
    SELECT id, call, status, code, request_id, ${source}, ${now}, ${now}
    FROM jsonb_to_recordset(${JSON.stringify(reports)}::jsonb)
      AS r (id uuid, call text, status int, code text, request_id uuid)
    LIMIT (SELECT greatest(0, (${waitingMax} - count(*)) / ${shareOfFree} - count(*) FILTER (WHERE source = ${source}))
      FROM error_reports)
  `.execute(tx);
}

export interface WaitingReport {
  id: string;
  call: string;
  status: number;
  code: string | null;
  request_id: string | null;
  seen_at: Date;
}

/** Returns due reports and postpones them to their next retry, so that another worker sends them if this one dies. */
export async function claimDueReports(tx: AnyTx, now: Date, limit: number): Promise<WaitingReport[]> {
  const { rows } = await sql<WaitingReport>`
    UPDATE error_reports SET tries = tries + 1, try_at = ${nextRetryAt(now, sql`tries`)}
    WHERE id IN (SELECT id FROM error_reports WHERE try_at <= ${now} ORDER BY try_at, id LIMIT ${limit}
      FOR UPDATE SKIP LOCKED)
    RETURNING id, call, status, code, request_id, seen_at
  `.execute(tx);
  return rows.sort((a, b) => a.seen_at.getTime() - b.seen_at.getTime());
}

export async function removeReports(tx: AnyTx, ids: readonly string[]): Promise<void> {
  await sql`DELETE FROM error_reports WHERE id = ANY(${ids}::uuid[])`.execute(tx);
}

/** Deletes old reports, which are not investigated any more. Returns how many were deleted. */
export async function deleteOldReports(tx: AnyTx, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`DELETE FROM error_reports WHERE seen_at < ${before}`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
