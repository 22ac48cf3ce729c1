import { sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";
import type { SheetKind } from "./sheet/headings.ts";

export interface SheetRecord {
  id: string;
  file_name: string;
  file_key: string;
  state: "uploaded" | "reading" | "imported" | "refused" | "cancelled";
  kind: SheetKind | null;
  rows_read: number;
  rows_total: number | null;
  refusal: { code: string; data: Record<string, unknown> | null; message: string } | null;
  batch_id: string | null;
  uploaded_by: string | null;
  uploaded_by_name: string;
  /** The person or credential that brought it; uploaded_by is a person or nobody. */
  editor_id: string;
}

const columns = sql`
  id, file_name, file_key, state, kind, rows_read, rows_total, refusal, batch_id, uploaded_by, uploaded_by_name, editor_id`;

export async function findSheet(tx: Tx, id: string): Promise<SheetRecord | undefined> {
  const { rows } = await sql<SheetRecord>`
    SELECT ${columns} FROM sheets WHERE company_id = ${tx.companyId} AND id = ${id}
  `.execute(tx);
  return rows[0];
}

export async function insertSheet(
  tx: Tx,
  sheet: {
    id: string;
    fileName: string;
    fileKey: string;
    bytes: number;
    userId: string | null;
    userName: string;
    editorId: string;
    now: Date;
  },
): Promise<void> {
  await sql`
    INSERT INTO sheets (company_id, id, file_name, file_key, file_bytes, state, uploaded_by, uploaded_by_name,
      editor_id, created_at)
    VALUES (${tx.companyId}, ${sheet.id}, ${sheet.fileName}, ${sheet.fileKey}, ${sheet.bytes}, 'uploaded',
            ${sheet.userId}, ${sheet.userName}, ${sheet.editorId}, ${sheet.now})
  `.execute(tx);
}

/** Moves a sheet from one state to the next; false when somebody moved it before. */
export async function moveSheet(
  tx: Tx,
  id: string,
  from: readonly SheetRecord["state"][],
  to: SheetRecord["state"],
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    UPDATE sheets SET state = ${to}
    WHERE company_id = ${tx.companyId} AND id = ${id} AND state = ANY(${from}::text[]) RETURNING id
  `.execute(tx);
  return rows.length === 1;
}

export async function noteProgress(tx: Tx, id: string, rowsRead: number): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    UPDATE sheets SET rows_read = ${rowsRead}
    WHERE company_id = ${tx.companyId} AND id = ${id} AND state = 'reading' RETURNING id
  `.execute(tx);
  return rows.length === 1;
}

export async function noteRefusal(
  tx: Tx,
  id: string,
  refusal: NonNullable<SheetRecord["refusal"]>,
): Promise<void> {
  await sql`
    UPDATE sheets SET state = 'refused', refusal = ${JSON.stringify(refusal)}::jsonb
    WHERE company_id = ${tx.companyId} AND id = ${id} AND state = 'reading'
  `.execute(tx);
}

export async function noteImported(
  tx: Tx,
  id: string,
  result: { kind: SheetKind; rows: number; batchId: string },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    UPDATE sheets SET state = 'imported', kind = ${result.kind}, rows_read = ${result.rows}, rows_total = ${result.rows},
      batch_id = ${result.batchId}
    WHERE company_id = ${tx.companyId} AND id = ${id} AND state = 'reading' RETURNING id
  `.execute(tx);
  return rows.length === 1;
}
