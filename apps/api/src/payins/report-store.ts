/** Sheets that were asked for, of payins and of card receivables. */
import { type Base, bases } from "@malote/contracts/contract";
import { sql } from "kysely";
import { AppError } from "../platform/app-error.ts";
import type { Database, Tx } from "../platform/db/database.ts";
import { wholeText } from "../platform/db/whole-text.ts";
import { uuidv7 } from "../platform/uuid.ts";

type Kind = "payins" | "card_receivables";

export interface ReportRow {
  id: string;
  filters: object;
  created_at: Date;
}

/** How long a sheet can be fetched. */
const keptHours = 24;

export async function insertReport(tx: Tx, kind: Kind, filters: object, now: Date): Promise<string> {
  const id = uuidv7(now.getTime());
  await sql`
    INSERT INTO receivable_reports (company_id, id, kind, filters, created_at)
    VALUES (${tx.companyId}, ${id}, ${kind}, ${JSON.stringify(filters, wholeText)}::jsonb, ${now})
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
  const before = new Date(now.getTime() - keptHours * 3_600_000);
  await db.withSystem((tx) => sql`DELETE FROM receivable_reports WHERE created_at < ${before}`.execute(tx));
}
