/** Queries for the table of requested files. */

import { type RawBuilder, sql } from "kysely";
import { sqlJoinUser } from "../identities/index.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { declareLock, lockFor } from "../platform/db/locks.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { wholeText } from "../platform/db/whole-text.ts";
import { sqlHasLiveJob } from "../platform/jobs/live-job.ts";

export type ExportState = "making" | "ready" | "failed" | "expired";

export interface Export<Request = unknown> {
  id: string;
  kind: string;
  /** Parameters of the request: filters, a period. */
  request: Request;
  state: ExportState;
  /** Set in advance for some kinds, and for all kinds once the file is ready. */
  rows_count: number | null;
  file_key: string | null;
  file_bytes: number | null;
  created_at: Date;
  expires_at: Date;
  /** Null for a credential, which may request a streamed file. */
  requester_name: string | null;
  /** Null after the user was removed: there is no recipient. */
  requester_email: string | null;
}

/** Exports with their state at `now`: expiry applies at once, also before the housekeeping runs. */
const exportsAt = (now: Date) => sql`
  SELECT e.id, e.kind, e.request,
    CASE WHEN e.state = 'ready' AND e.expires_at <= ${now} THEN 'expired' ELSE e.state END AS state,
    e.rows_count, e.file_key, e.file_bytes, e.created_at, e.expires_at, u.name AS requester_name,
    CASE WHEN u.removed_at IS NULL THEN u.email END AS requester_email
  FROM exports e LEFT ${sqlJoinUser(sql`e.company_id`, sql`e.requested_by`)}`;

export async function findExport<Request>(
  tx: Tx,
  { id, kinds, now }: { id: string; kinds: readonly string[]; now: Date },
): Promise<Export<Request> | undefined> {
  const { rows } = await sql<Export<Request>>`
    ${exportsAt(now)}
    WHERE e.company_id = ${tx.companyId} AND e.id = ${id} AND e.kind = ANY(${[...kinds]}::text[])
  `.execute(tx);
  return rows[0];
}

/** Lists one user's exports, newest first. */
export async function listExports(
  tx: Tx,
  { requestedBy, kinds, now, max }: { requestedBy: string; kinds: readonly string[]; now: Date; max: number },
): Promise<Export[]> {
  const { rows } = await sql<Export>`
    ${exportsAt(now)}
    WHERE e.company_id = ${tx.companyId} AND e.requested_by = ${requestedBy} AND e.kind = ANY(${[...kinds]}::text[])
    ORDER BY e.created_at DESC, e.id DESC LIMIT ${max}
  `.execute(tx);
  return rows;
}

/** Returns the ids of the rows, where the request lists them one by one. */
export async function listChosenIds(tx: Tx, id: string): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] | null }>`
    SELECT ids FROM exports WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
  return rows[0]?.ids ?? [];
}

const requestsLock = declareLock("exports");

/** Serialises the company's requests, so that two concurrent ones do not both take the last place. */
export async function lockRequests(tx: Tx): Promise<void> {
  await lockFor(tx, requestsLock);
}

export const countMaking = (tx: Tx, kinds: readonly string[]): Promise<number> =>
  count(tx, sql`kind = ANY(${[...kinds]}::text[]) AND state = 'making'`);

/** Counts the streamed files that can be downloaded. */
export const countStreamed = (tx: Tx, kind: string, now: Date): Promise<number> =>
  count(tx, sql`kind = ${kind} AND is_streamed AND expires_at > ${now}`);

async function count(tx: Tx, condition: RawBuilder<unknown>): Promise<number> {
  const found = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM exports WHERE company_id = ${tx.companyId} AND ${condition}
  `.execute(tx);
  return onlyRow(found).count;
}

interface NewExport {
  id: string;
  kind: string;
  request: unknown;
  requestedBy: string;
  now: Date;
  expiresAt: Date;
}

export async function insertExport(
  tx: Tx,
  requested: NewExport & {
    isStreamed: boolean;
    ids?: readonly string[] | undefined;
    rows?: number | undefined;
  },
): Promise<void> {
  await sql`
    INSERT INTO exports (company_id, id, kind, request, ids, is_streamed, state, rows_count, requested_by, created_at, expires_at)
    VALUES (${tx.companyId}, ${requested.id}, ${requested.kind}, ${JSON.stringify(requested.request, wholeText)}::jsonb,
      ${requested.ids ? [...requested.ids] : null}::uuid[], ${requested.isStreamed}, ${requested.isStreamed ? "ready" : "making"},
      ${requested.rows ?? null}, ${requested.requestedBy}, ${requested.now}, ${requested.expiresAt})
  `.execute(tx);
}

/** Renews the time of an equal request by the same user or credential. Returns its id; undefined when there is none. */
export async function renewStreamed(tx: Tx, requested: Omit<NewExport, "id">): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    UPDATE exports SET created_at = ${requested.now}, expires_at = ${requested.expiresAt}
    WHERE company_id = ${tx.companyId} AND kind = ${requested.kind} AND is_streamed AND requested_by = ${requested.requestedBy}
      AND request = ${JSON.stringify(requested.request, wholeText)}::jsonb
    RETURNING id
  `.execute(tx);
  return rows[0]?.id;
}

/** Ends an export. Returns false when another worker or the housekeeping ended it before. */
export async function endExport(
  tx: Tx,
  id: string,
  file: { key: string; bytes: number; rows: number } | "failed",
): Promise<boolean> {
  const made = file === "failed" ? undefined : file;
  const { rows } = await sql<{ id: string }>`
    UPDATE exports SET state = ${made ? "ready" : "failed"}, file_key = ${made?.key ?? null},
      file_bytes = ${made?.bytes ?? null}, rows_count = coalesce(${made?.rows ?? null}::int, rows_count), ids = NULL
    WHERE company_id = ${tx.companyId} AND id = ${id} AND state = 'making' RETURNING id
  `.execute(tx);
  return rows.length === 1;
}

/** Returns the companies with files in progress or stored. */
export async function listCompaniesWithFiles(tx: AnyTx): Promise<string[]> {
  const { rows } = await sql<{ company_id: string }>`
    SELECT DISTINCT company_id FROM exports
    WHERE state IN ('making', 'ready') AND NOT is_streamed ORDER BY company_id
  `.execute(tx);
  return rows.map(({ company_id }) => company_id);
}

/** Returns exports created before the given time that no job is making. */
export async function findAbandoned(tx: Tx, before: Date): Promise<{ id: string; kind: string }[]> {
  const { rows } = await sql<{ id: string; kind: string }>`
    SELECT e.id, e.kind FROM exports e
    WHERE e.company_id = ${tx.companyId} AND e.state = 'making' AND e.created_at < ${before}
      AND NOT ${sqlHasLiveJob("make-export", sql`j.data ->> 'exportId' = e.id::text`)}
    ORDER BY e.id
  `.execute(tx);
  return rows;
}

/** Marks expired files and returns their keys. */
export async function expireFiles(tx: Tx, now: Date) {
  const { rows } = await sql<{ id: string; kind: string; file_key: string }>`
    WITH over AS (
      SELECT id, file_key FROM exports
      WHERE company_id = ${tx.companyId} AND state = 'ready' AND NOT is_streamed AND expires_at <= ${now} FOR UPDATE
    )
    UPDATE exports e SET state = 'expired', file_key = NULL, file_bytes = NULL
    FROM over WHERE e.company_id = ${tx.companyId} AND e.id = over.id
    RETURNING e.id, e.kind, over.file_key
  `.execute(tx);
  return rows;
}

/** Deletes expired streamed files. No e-mail links to one, so their addresses are not opened later. */
export async function deleteExpiredStreamed(tx: AnyTx, now: Date): Promise<void> {
  await sql`DELETE FROM exports WHERE is_streamed AND expires_at <= ${now}`.execute(tx);
}

export async function isFileOfExport(tx: AnyTx, key: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM exports WHERE file_key = ${key}`.execute(tx);
  return rows.length > 0;
}
