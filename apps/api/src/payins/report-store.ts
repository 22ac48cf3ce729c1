/** Sheets that were asked for and are written while they are fetched: of payins, card receivables and the audit trail. */
import { type Base, bases } from "@malote/contracts/contract";
import type { AuditAction } from "@malote/domain/audit-trail";
import { fetchedSheets } from "@malote/domain/limits";
import { sql } from "kysely";
import { AppError } from "../platform/app-error.ts";
import type { Database, Tx } from "../platform/db/database.ts";
import { onlyRow } from "../platform/db/only-row.ts";
import { wholeText } from "../platform/db/whole-text.ts";
import { uuidv7 } from "../platform/uuid.ts";

type Kind = "payins" | "card_receivables" | "audit_trail";

export interface ReportRow {
  id: string;
  filters: object;
  created_at: Date;
}

const keptSince = (now: Date) => new Date(now.getTime() - fetchedSheets.keptHours * 3_600_000);

/** As they stand in the trail: what was asked for again left no row of its own. */
const asking = [
  "payin_report_requested",
  "card_receivables_report_requested",
  "audit_trail_exported",
] satisfies AuditAction[];
const hour = sql`interval '1 hour'`;

async function countAsked(tx: Tx, by: string, now: Date): Promise<number> {
  return onlyRow(
    await sql<{ asked: number }>`
      SELECT count(*)::int AS asked FROM audit_entries
      WHERE company_id = ${tx.companyId} AND actor_id = ${by} AND at > ${now}::timestamptz - ${hour}
        AND action = ANY(${asking}::text[])
    `.execute(tx),
  ).asked;
}

/** What somebody asks for again is the sheet they have, as of now. */
export async function insertReport(
  tx: Tx,
  kind: Kind,
  filters: object,
  { actor, now }: { actor: { id: string }; now: Date },
): Promise<string> {
  // One after another, so that two at once do not both take the last place.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`receivable_reports ${tx.companyId}`}, 0))`.execute(
    tx,
  );
  if ((await countAsked(tx, actor.id, now)) >= fetchedSheets.askedPerHourMax)
    throw new AppError("sheets_asked_in_an_hour", { max: fetchedSheets.askedPerHourMax });
  const given = JSON.stringify(filters, wholeText);
  const { rows } = await sql<{ id: string }>`
    UPDATE receivable_reports SET created_at = ${now}
    WHERE company_id = ${tx.companyId} AND kind = ${kind} AND asked_by = ${actor.id} AND filters = ${given}::jsonb RETURNING id
  `.execute(tx);
  if (rows[0]) return rows[0].id;
  const { asked } = onlyRow(
    await sql<{ asked: number }>`
      SELECT count(*)::int AS asked FROM receivable_reports
      WHERE company_id = ${tx.companyId} AND kind = ${kind} AND created_at >= ${keptSince(now)}
    `.execute(tx),
  );
  if (asked >= fetchedSheets.askedMax)
    throw new AppError("sheets_asked_too_many", { max: fetchedSheets.askedMax });
  const id = uuidv7(now.getTime());
  await sql`
    INSERT INTO receivable_reports (company_id, id, kind, filters, created_at, asked_by)
    VALUES (${tx.companyId}, ${id}, ${kind}, ${given}::jsonb, ${now}, ${actor.id})
  `.execute(tx);
  return id;
}

export async function findReport(tx: Tx, kind: Kind, id: string): Promise<ReportRow> {
  const { rows } = await sql<ReportRow>`
    SELECT id, filters, created_at FROM receivable_reports
    WHERE company_id = ${tx.companyId} AND id = ${id} AND kind = ${kind}
  `.execute(tx);
  if (!rows[0]) throw new AppError("not_found");
  return rows[0];
}

export const linkOf = (base: Base, path: string, { id }: ReportRow): string =>
  `${bases[base]}${path}/${id}/file`;

/** Housekeeping. */
export async function tidyPayinReports(db: Database, now: Date): Promise<void> {
  await db.withSystem((tx) =>
    sql`DELETE FROM receivable_reports WHERE created_at < ${keptSince(now)}`.execute(tx),
  );
}
