/** Files of a batch: its payments with how each went, and the bad rows of its sheet. */

import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import type { downloadBadRows } from "@malote/contracts/batch-issues";
import type { downloadBatchReport } from "@malote/contracts/batches";
import { saoPauloDate } from "@malote/domain/calendar";
import { type Issue, issueSheetText } from "@malote/domain/issues";
import { type RawBuilder, sql } from "kysely";
import { slicesAfter, tablePieces } from "../../exports/index.ts";
import type { Tx } from "../../platform/db/database.ts";
import { plainFileName } from "../../platform/files/file-name.ts";
import { fileTypes } from "../../platform/files/file-types.ts";
import { fairSemaphore } from "../../platform/http/fair-semaphore.ts";
import { sendFile } from "../../platform/http/send-file.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { wrongBoletos } from "../boletos/read.ts";
import { boletoReportHeadings, boletoReportRows } from "../boletos/report.ts";
import { badRowsSheet } from "../import/sheet/bad-rows-sheet.ts";
import { boletoRepair, type Repair, repairTable, transferRepair } from "../import/sheet/repair-table.ts";
import type { ColumnChoice } from "../import/sheet/sheet-layout.ts";
import { columnsOfSheet } from "../import/store.ts";
import { sqlIsExpired, sqlIsForbidden } from "../rules/rules-sql.ts";
import { readFacts } from "../transfers/facts.ts";
import { transferOf } from "../transfers/present.ts";
import { draftOf, type TransferRow, transferColumns } from "../transfers/store.ts";
import { getBatch } from "./read.ts";
import { type ReportedPayment, reportColumns, reportHeadings, reportRow } from "./report-rows.ts";
import type { BatchRow } from "./store.ts";

/**
 * A file of a hundred thousand rows takes memory and time: one is made after another, companies by turns, and a longer line of
 * one company is refused.
 */
const oneFileAtATime = fairSemaphore({ perCompany: 1, overall: 1, waitingMax: 3 });

async function rowsOf(tx: Tx, batchId: string, condition: RawBuilder<unknown>): Promise<TransferRow[]> {
  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns} FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND ${condition}
    ORDER BY t.position, t.id
  `.execute(tx);
  return rows;
}

/** Rows read and written at a time: others are answered in between. */
const rowsAtOnce = 500;

const transferSlices = ({ db }: Pick<Services, "db">, companyId: string, batchId: string) =>
  slicesAfter<ReportedPayment>((last) =>
    db.readCompany(companyId, async (tx) => {
      const { rows } = await sql<ReportedPayment>`
        SELECT ${reportColumns} FROM transfers t
        WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId}
          AND (t.position, t.id) > (${last?.position ?? -1}::int, ${last?.id ?? lowestId}::uuid)
        ORDER BY t.position, t.id LIMIT ${rowsAtOnce}
      `.execute(tx);
      return rows;
    }),
  );

const lowestId = "00000000-0000-0000-0000-000000000000";

async function* boletoSlices({ db }: Pick<Services, "db">, companyId: string, batchId: string) {
  const rows = await db.readCompany(companyId, (tx) => boletoReportRows(tx, batchId));
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    yield rows.slice(at, at + rowsAtOnce);
    await setImmediate();
  }
}

/** In line stands only the making of the file: whoever fetches it slowly keeps nobody waiting. */
export async function downloadReport(services: Services, call: Call<typeof downloadBatchReport>) {
  const { batch, file } = await oneFileAtATime(call.actor.companyId, () => writeReport(services, call));
  const { format } = call.query;
  const name = plainFileName(`Pagamentos ${batch.name}`, "lote");
  return sendFile(call.reply, { name: `${name}.${format}`, type: fileTypes[format], content: file });
}

async function writeReport(services: Services, { params, query, actor }: Call<typeof downloadBatchReport>) {
  const batch = await services.db.readCompany(actor.companyId, (tx) => getBatch(tx, params.id));
  const name = "Pagamentos";
  const pieces =
    batch.type === "BILLET"
      ? tablePieces(
          {
            name,
            headings: boletoReportHeadings,
            slices: boletoSlices(services, actor.companyId, batch.id),
            cellsOf: (row) => row,
          },
          query.format,
        )
      : tablePieces(
          {
            name,
            headings: reportHeadings,
            slices: transferSlices(services, actor.companyId, batch.id),
            cellsOf: reportRow,
          },
          query.format,
        );
  // Whole in memory, so that whoever fetches it slowly holds no connection.
  return { batch, file: await buffer(pieces) };
}

/** By the rules of now, as the screen counts them: a day that has passed since is a reason too. */
async function badRowsOf(tx: Tx, { id, type, sheet_id }: BatchRow, now: Date) {
  const columns = sheet_id === null ? undefined : await columnsOfSheet(tx, sheet_id);
  if (type === "BILLET")
    return withReasons(await wrongBoletos(tx, id, now), boletoRepair(saoPauloDate(now)), columns);
  const facts = await readFacts(tx, now);
  const isWrong = sql`(t.errors IS NOT NULL OR ${sqlIsExpired(facts)} OR ${sqlIsForbidden(facts)})`;
  const wrong = (await rowsOf(tx, id, isWrong)).map((row) => ({
    cells: row.sheet_cells,
    draft: draftOf(row),
    errors: transferOf(row, facts).errors as Issue[],
    isByKey: row.payment_method === "PIX",
  }));
  return withReasons(wrong, transferRepair, columns);
}

function withReasons<Draft>(
  wrong: readonly {
    cells: Record<string, string> | null;
    draft: Draft;
    errors: readonly Issue[];
    isByKey?: boolean;
  }[],
  repair: Repair<Draft>,
  columns: ColumnChoice | undefined,
) {
  const { headings, rows } = repairTable(wrong, repair, columns);
  return {
    headings,
    rows: wrong.map(({ errors, isByKey = false }, at) => ({
      raw: rows[at] ?? [],
      reasons: [...new Set(errors.map((issue) => issueSheetText(issue, isByKey)))],
    })),
  };
}

export async function downloadBad(services: Services, call: Call<typeof downloadBadRows>) {
  const { batch, file } = await oneFileAtATime(call.actor.companyId, () => writeBad(services, call));
  const { format } = call.query;
  const name = plainFileName(`Corrigir ${batch.name}`, "lote");
  return sendFile(call.reply, { name: `${name}.${format}`, type: fileTypes[format], content: file });
}

async function writeBad({ db }: Services, { params, query, actor, now }: Call<typeof downloadBadRows>) {
  const { batch, headings, rows } = await db.withCompany(actor.companyId, async (tx) => {
    const batch = await getBatch(tx, params.id);
    return { batch, ...(await badRowsOf(tx, batch, now)) };
  });
  return { batch, file: await badRowsSheet(headings, rows, query.format) };
}
