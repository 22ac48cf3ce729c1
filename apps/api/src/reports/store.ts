/** The table of reports somebody asked for. Every question is one function. */
import type { ReportKind, reportStates } from "@malote/contracts/reports";
import type { TransferPageFilter } from "@malote/contracts/transfers";
import { reportsKept } from "@malote/domain/limits";
import { sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";
import type { AskedFiles } from "../platform/files/asked-files.ts";

export const reportFiles: AskedFiles = {
  table: "report_requests",
  making: "making",
  ready: "ready",
  job: "make-report",
  folder: "reports",
  makingHours: reportsKept.makingHours,
  trail: { givenUp: "report_given_up", removed: "report_removed" },
};

export type ReportState = (typeof reportStates)[number];

/** Of a report of payouts; the others have none. */
export interface ReportFilter {
  statuses?: TransferPageFilter[];
  search?: string;
  bankId?: string;
}

export interface ReportRequest {
  id: string;
  kind: ReportKind;
  initial_date: string;
  end_date: string;
  filter: ReportFilter;
  state: ReportState;
  rows_count: number | null;
  file_key: string | null;
  file_bytes: number | null;
  created_at: Date;
  expires_at: Date;
  asked_by_name: string;
  /** Nobody to write to once the person is gone. */
  asked_by_email: string | null;
}

export async function findReport(tx: Tx, id: string): Promise<ReportRequest | undefined> {
  const { rows } = await sql<ReportRequest>`
    SELECT r.id, r.kind, r.initial_date, r.end_date, r.filter, r.state, r.rows_count, r.file_key, r.file_bytes, r.created_at,
      r.expires_at, u.name AS asked_by_name, CASE WHEN u.removed_at IS NULL THEN u.email END AS asked_by_email
    FROM report_requests r JOIN users u ON u.company_id = r.company_id AND u.id = r.requested_by
    WHERE r.company_id = ${tx.companyId} AND r.id = ${id}
  `.execute(tx);
  return rows[0];
}

export async function insertReport(
  tx: Tx,
  report: Pick<ReportRequest, "id" | "kind" | "initial_date" | "end_date" | "filter"> & {
    userId: string;
    now: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await sql`
    INSERT INTO report_requests
      (company_id, id, kind, initial_date, end_date, filter, state, requested_by, created_at, expires_at)
    VALUES (${tx.companyId}, ${report.id}, ${report.kind}, ${report.initial_date}, ${report.end_date},
      ${JSON.stringify(report.filter)}::jsonb, 'making', ${report.userId}, ${report.now}, ${report.expiresAt})
  `.execute(tx);
}

/** False when somebody ended the request before: another worker, or the housekeeping. */
export async function endReport(
  tx: Tx,
  id: string,
  ending: { state: "ready"; rows: number; fileKey: string; bytes: number } | { state: "failed" },
): Promise<boolean> {
  const made = ending.state === "ready" ? ending : undefined;
  const { rows } = await sql<{ id: string }>`
    UPDATE report_requests SET state = ${ending.state}, file_key = ${made?.fileKey ?? null},
      file_bytes = ${made?.bytes ?? null}, rows_count = ${made?.rows ?? null}
    WHERE company_id = ${tx.companyId} AND id = ${id} AND state = 'making' RETURNING id
  `.execute(tx);
  return rows.length === 1;
}
