import { sql } from "kysely";
import { from as copyFrom } from "pg-copy-streams";
import { sqlUserName } from "../../identities/index.ts";
import type { AnyTx, Tx } from "../../platform/db/database.ts";
import { sqlHasLiveJob } from "../../platform/jobs/live-job.ts";
import { columnDefinitions } from "../column-lists.ts";
import { importedColumns, type PaymentKind } from "../payment-columns.ts";
import type { Mistake } from "./import-process.ts";
import type { ColumnChoice, SheetKind, SheetLayout } from "./sheet/sheet-layout.ts";

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
  layout: SheetLayout | null;
  /** Choice of columns that a person made for this sheet. */
  choice: ColumnChoice | null;
  /** Person or credential whose choice of columns applies, made for this sheet or remembered. */
  choice_by: string | null;
  choice_by_name: string | null;
  total: { sheet_row: number; stated: number | null; sum: number } | null;
  mistakes: Mistake[] | null;
  file_removed_at: Date | null;
  uploaded_by: string | null;
  uploaded_by_name: string;
  /** Person or credential that uploaded the sheet; `uploaded_by` is a person or null. */
  editor_id: string;
}

/** Batch of a sheet unless it was deleted, so that an old address does not lead to a deleted batch. */
const batchOfSheet = sql`(SELECT b.id FROM batches b
  WHERE b.company_id = sheets.company_id AND b.id = sheets.batch_id AND b.status <> 'REMOVED')`;

const columns = sql`
  id, file_name, file_key, state, kind, rows_read, rows_total, refusal, ${batchOfSheet} AS batch_id, layout, choice, total,
  mistakes, file_removed_at, uploaded_by, uploaded_by_name, editor_id, choice_by,
  ${sqlUserName(sql`sheets.company_id`, sql`sheets.choice_by`)} AS choice_by_name`;

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

/** Moves a sheet from one of the states `from` to the next. Returns false when it is in another state. */
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

export async function saveProgress(tx: Tx, id: string, rowsRead: number): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    UPDATE sheets SET rows_read = ${rowsRead}
    WHERE company_id = ${tx.companyId} AND id = ${id} AND state = 'reading' RETURNING id
  `.execute(tx);
  return rows.length === 1;
}

export async function saveRefusal(
  tx: Tx,
  id: string,
  refusal: NonNullable<SheetRecord["refusal"]>,
  layout?: SheetLayout,
): Promise<void> {
  await sql`
    UPDATE sheets SET state = 'refused', refusal = ${JSON.stringify(refusal)}::jsonb,
      layout = ${layout ? JSON.stringify(layout) : null}::jsonb
    WHERE company_id = ${tx.companyId} AND id = ${id} AND state = 'reading'
  `.execute(tx);
}

export async function markImported(
  tx: Tx,
  id: string,
  result: {
    layout: SheetLayout;
    rows: number;
    batchId: string;
    total: SheetRecord["total"];
    mistakes: readonly Mistake[];
    choiceBy: string | null;
  },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    UPDATE sheets SET state = 'imported', kind = ${result.layout.kind}, rows_read = ${result.rows}, rows_total = ${result.rows},
      batch_id = ${result.batchId}, layout = ${JSON.stringify(result.layout)}::jsonb,
      total = ${result.total && JSON.stringify(result.total)}::jsonb,
      mistakes = ${JSON.stringify(result.mistakes)}::jsonb, choice_by = ${result.choiceBy}
    WHERE company_id = ${tx.companyId} AND id = ${id} AND state = 'reading' RETURNING id
  `.execute(tx);
  return rows.length === 1;
}

/**
 * Restarts the reading of a sheet with a person's choice of columns. Returns false when another reading began first.
 */
export async function rereadSheet(
  tx: Tx,
  id: string,
  from: SheetRecord["state"],
  { choice, by }: { choice: ColumnChoice; by: string },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    UPDATE sheets SET state = 'reading', choice = ${JSON.stringify(choice)}::jsonb, choice_by = ${by}, refusal = NULL, batch_id = NULL,
      rows_read = 0, rows_total = NULL
    WHERE company_id = ${tx.companyId} AND id = ${id} AND state = ${from} AND file_removed_at IS NULL RETURNING id
  `.execute(tx);
  return rows.length === 1;
}

/** Maximum number of choices remembered for a company; the oldest choice is deleted first. */
const choicesMax = 200;

/** Returns the remembered choices of columns with their authors, by the key of the headings. */
export async function listRememberedChoices(
  tx: Tx,
): Promise<Map<string, { columns: ColumnChoice; chosen_by: string }>> {
  const { rows } = await sql<{ headings_key: string; columns: ColumnChoice; chosen_by: string }>`
    SELECT headings_key, columns, chosen_by FROM sheet_column_choices WHERE company_id = ${tx.companyId}
  `.execute(tx);
  return new Map(rows.map(({ headings_key, ...choice }) => [headings_key, choice]));
}

export async function rememberChoice(
  tx: Tx,
  chosen: { key: string; columns: ColumnChoice; by: string; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO sheet_column_choices (company_id, headings_key, columns, chosen_by, chosen_at)
    VALUES (${tx.companyId}, ${chosen.key}, ${JSON.stringify(chosen.columns)}::jsonb, ${chosen.by}, ${chosen.now})
    ON CONFLICT (company_id, headings_key) DO UPDATE
      SET columns = excluded.columns, chosen_by = excluded.chosen_by, chosen_at = excluded.chosen_at
  `.execute(tx);
  await sql`
    DELETE FROM sheet_column_choices WHERE company_id = ${tx.companyId} AND headings_key IN (
      SELECT headings_key FROM sheet_column_choices WHERE company_id = ${tx.companyId}
      ORDER BY chosen_at DESC, headings_key OFFSET ${choicesMax})
  `.execute(tx);
}

/** Returns the mapping of a sheet's columns as a choice. */
export const choiceOf = ({ columns }: SheetLayout): ColumnChoice =>
  Object.fromEntries(columns.map(({ column, field }) => [column, field]));

/** Returns the mapping of a sheet's columns; undefined for a sheet read before the mapping was stored. */
export async function findColumnsOfSheet(tx: Tx, id: string): Promise<ColumnChoice | undefined> {
  const layout = (await findSheet(tx, id))?.layout;
  return layout ? choiceOf(layout) : undefined;
}

/**
 * Lists the sheets of every company that are still to be read, were uploaded before this instant and have no live job.
 */
export async function listOverdueSheets(
  tx: AnyTx,
  createdBefore: Date,
): Promise<{ company_id: string; id: string }[]> {
  const { rows } = await sql<{ company_id: string; id: string }>`
    SELECT s.company_id, s.id FROM sheets s
    WHERE s.state = 'reading' AND s.created_at < ${createdBefore}
      AND NOT ${sqlHasLiveJob("import-sheet", sql`j.data ->> 'sheetId' = s.id::text`)}
  `.execute(tx);
  return rows;
}

/** Creates the table that the rows of a sheet are copied to; it ends with the transaction. */
export async function createImportTable(tx: Tx, kind: PaymentKind): Promise<void> {
  const columns = columnDefinitions(importedColumns[kind]);
  await sql`CREATE TEMP TABLE import_rows (${columns}) ON COMMIT DROP`.execute(tx);
}

/** Returns a stream that takes lines of COPY into the table of `createImportTable`. */
export const copyImportRows = (tx: Tx) => tx.stream(copyFrom("COPY import_rows FROM STDIN"));
