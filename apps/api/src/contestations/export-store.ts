/** Lists of infractions that somebody asked for as a file. */
import type { InfractionFilters, infractionExportStatuses } from "@malote/contracts/contestations";
import { sql } from "kysely";
import type { Person } from "../company/index.ts";
import type { AnyTx, Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";

export type ExportState = (typeof infractionExportStatuses)[number];

export interface ExportRow {
  id: string;
  filters: InfractionFilters;
  state: ExportState;
  file_key: string | null;
  created_at: Date;
  expires_at: Date;
}

const columns = sql`e.id, e.filters, e.state, e.file_key, e.created_at, e.expires_at`;

export async function findExport(tx: Tx, id: string): Promise<ExportRow | undefined> {
  const { rows } = await sql<ExportRow>`
    SELECT ${columns} FROM infraction_exports e WHERE e.company_id = ${tx.companyId} AND e.id = ${id}
  `.execute(tx);
  return rows[0];
}

/** One request of the company after another counts, so that two at once do not both take the last place. */
export async function countInTheMaking(tx: Tx): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`infraction exports ${tx.companyId}`}, 0))`.execute(
    tx,
  );
  const found = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM infraction_exports
    WHERE company_id = ${tx.companyId} AND state = 'processing'
  `.execute(tx);
  return onlyRow(found).count;
}

export async function insertExport(
  tx: Tx,
  asked: { id: string; filters: InfractionFilters; userId: string; now: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    INSERT INTO infraction_exports (company_id, id, filters, state, requested_by, created_at, expires_at)
    VALUES (${tx.companyId}, ${asked.id}, ${JSON.stringify(asked.filters)}::jsonb, 'processing', ${asked.userId}, ${asked.now},
      ${asked.expiresAt})
  `.execute(tx);
}

/** False when somebody ended it before: another worker, or the housekeeping. */
export async function endExport(tx: Tx, id: string, fileKey: string | null): Promise<boolean> {
  const { rows } = await sql`
    UPDATE infraction_exports SET state = ${fileKey ? "succeeded" : "failed"}, file_key = ${fileKey}
    WHERE company_id = ${tx.companyId} AND id = ${id} AND state = 'processing' RETURNING id
  `.execute(tx);
  return rows.length > 0;
}

/** Nobody to write to once the person is gone. */
export async function whoAsked(tx: Tx, id: string): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    SELECT u.name, u.email FROM infraction_exports e
    JOIN users u ON u.company_id = e.company_id AND u.id = e.requested_by AND u.removed_at IS NULL
    WHERE e.company_id = ${tx.companyId} AND e.id = ${id}
  `.execute(tx);
  return rows[0];
}

/** Requests in the making since before then that no job stands for any more. */
export async function abandonedExports(tx: Tx, before: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM infraction_exports
    WHERE company_id = ${tx.companyId} AND state = 'processing' AND created_at < ${before}
      AND NOT EXISTS (SELECT FROM pgboss.job j WHERE j.name = 'export-infractions'
        AND j.state IN ('created', 'retry', 'active') AND j.data ->> 'exportId' = infraction_exports.id::text)
  `.execute(tx);
  return rows.map((row) => row.id);
}

/** Ends the links whose time is over, and answers the keys of their files. */
export async function expireExports(tx: Tx, now: Date): Promise<{ id: string; fileKey: string }[]> {
  const { rows } = await sql<{ id: string; fileKey: string }>`
    WITH over AS (
      SELECT id, file_key FROM infraction_exports
      WHERE company_id = ${tx.companyId} AND state = 'succeeded' AND expires_at <= ${now} FOR UPDATE
    )
    UPDATE infraction_exports e SET state = 'expired', file_key = NULL
    FROM over WHERE e.company_id = ${tx.companyId} AND e.id = over.id
    RETURNING e.id, over.file_key AS "fileKey"
  `.execute(tx);
  return rows;
}

export async function companiesWithExports(tx: AnyTx): Promise<string[]> {
  const { rows } = await sql<{ company_id: string }>`
    SELECT DISTINCT company_id FROM infraction_exports WHERE state IN ('processing', 'succeeded') ORDER BY company_id
  `.execute(tx);
  return rows.map((row) => row.company_id);
}

export async function exportKeys(tx: AnyTx): Promise<string[]> {
  const { rows } = await sql<{ file_key: string }>`
    SELECT file_key FROM infraction_exports WHERE file_key IS NOT NULL
  `.execute(tx);
  return rows.map((row) => row.file_key);
}
