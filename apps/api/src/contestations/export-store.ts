/** Lists of infractions that somebody asked for as a file. */
import type { InfractionFilters, infractionExportStatuses } from "@malote/contracts/contestations";
import { infractionExportsKept } from "@malote/domain/limits";
import { sql } from "kysely";
import type { Person } from "../company/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AskedFiles } from "../platform/files/asked-files.ts";

export const exportFiles: AskedFiles = {
  table: "infraction_exports",
  making: "processing",
  ready: "succeeded",
  job: "export-infractions",
  folder: "infraction-exports",
  makingHours: infractionExportsKept.makingHours,
  trail: { givenUp: "infractions_export_given_up", removed: "infractions_export_removed" },
};

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
