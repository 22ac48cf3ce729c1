/** Files of a batch: its payments with how each went, and the bad rows of its sheet. */
import type { downloadBadRows, downloadBatchReport } from "@malote/contracts/batches";
import { type CalendarDate, saoPauloDate } from "@malote/domain/calendar";
import { type Issue, issueSheetText } from "@malote/domain/issues";
import { sql } from "kysely";
import { billetReportHeadings, billetReportRows, wrongBillets } from "../billets/index.ts";
import {
  badRowsSheet,
  billetRepair,
  type Repair,
  repairTable,
  transferRepair,
  writeTable,
} from "../import/index.ts";
import { boundedQueue } from "../platform/auth/passwords.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { draftOf, type TransferRow, transferColumns } from "../transfers/index.ts";
import { getBatch } from "./read.ts";
import { reportHeadings, reportRow } from "./report-rows.ts";
import type { BatchRow } from "./store.ts";

/** A file of a hundred thousand rows takes memory and time: one is made after another, and a longer line is refused. */
const oneFileAtATime = boundedQueue(1, 8);

const contentTypes = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
};

/** A name a person chose, made fit for a header and a disk. */
const fileNameOf = (name: string, ending: string) =>
  `${
    name
      .normalize("NFD")
      .replace(/[^\w -]/g, "")
      .trim()
      .slice(0, 60) || "lote"
  }.${ending}`;

async function rowsOf(tx: Tx, batchId: string, onlyWrong: boolean): Promise<TransferRow[]> {
  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns} FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND (NOT ${onlyWrong}::boolean OR t.errors IS NOT NULL)
    ORDER BY t.position, t.id
  `.execute(tx);
  return rows;
}

async function reportOf(tx: Tx, { id, type }: Pick<BatchRow, "id" | "type">): Promise<string[][]> {
  return type === "BILLET"
    ? [billetReportHeadings, ...(await billetReportRows(tx, id))]
    : [reportHeadings, ...(await rowsOf(tx, id, false)).map(reportRow)];
}

export const downloadReport: typeof writeReport = (parts, call) =>
  oneFileAtATime(() => writeReport(parts, call));

async function writeReport({ db }: Parts, call: Call<typeof downloadBatchReport>) {
  const { params, query, actor, reply } = call;
  const { batch, table } = await db.withCompany(actor.companyId, async (tx) => {
    const batch = await getBatch(tx, params.id);
    return { batch, table: await reportOf(tx, batch) };
  });
  const file = await writeTable("Pagamentos", table, query.format);
  return reply
    .type(contentTypes[query.format])
    .header(
      "content-disposition",
      `attachment; filename="${fileNameOf(`Pagamentos ${batch.name}`, query.format)}"`,
    )
    .send(file);
}

async function badRowsOf(tx: Tx, { id, type }: Pick<BatchRow, "id" | "type">, today: CalendarDate) {
  if (type === "BILLET") return withReasons(await wrongBillets(tx, id), billetRepair(today));
  const wrong = (await rowsOf(tx, id, true)).map((row) => ({
    cells: row.sheet_cells,
    draft: draftOf(row),
    errors: row.errors ?? [],
  }));
  return withReasons(wrong, transferRepair);
}

function withReasons<Draft>(
  wrong: readonly { cells: Record<string, string> | null; draft: Draft; errors: readonly Issue[] }[],
  repair: Repair<Draft>,
) {
  const { headings, rows } = repairTable(wrong, repair);
  return {
    headings,
    rows: wrong.map(({ errors }, at) => ({
      raw: rows[at] ?? [],
      reasons: [...new Set(errors.map(issueSheetText))],
    })),
  };
}

export const downloadBad: typeof writeBad = (parts, call) => oneFileAtATime(() => writeBad(parts, call));

async function writeBad({ db }: Parts, call: Call<typeof downloadBadRows>) {
  const { params, query, actor, reply } = call;
  const { batch, headings, rows } = await db.withCompany(actor.companyId, async (tx) => {
    const batch = await getBatch(tx, params.id);
    return { batch, ...(await badRowsOf(tx, batch, saoPauloDate(call.now))) };
  });
  const file = await badRowsSheet(headings, rows, query.format);
  return reply
    .type(contentTypes[query.format])
    .header(
      "content-disposition",
      `attachment; filename="${fileNameOf(`Corrigir ${batch.name}`, query.format)}"`,
    )
    .send(file);
}
