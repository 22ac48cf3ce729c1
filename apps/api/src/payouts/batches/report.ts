/** Report file of a batch's payments with their outcomes. */

import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import type { downloadBatchReport, requestBatchReport } from "@malote/contracts/batches";
import { bases } from "@malote/contracts/contract";
import { sql } from "kysely";
import { recordReportCheckpoint } from "../../company/index.ts";
import { slicesAfter, tablePieces } from "../../exports/index.ts";
import { fairSemaphore } from "../../platform/concurrency/fair-semaphore.ts";
import type { Tx } from "../../platform/db/database.ts";
import { plainFileName } from "../../platform/files/file-name.ts";
import { fileTypes } from "../../platform/files/file-types.ts";
import { sendFile } from "../../platform/http/send-file.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { boletoReportHeadings, listBoletoReportRows } from "../boletos/report.ts";
import type { PaymentKind } from "../payment-columns.ts";
import { getBatch } from "./read.ts";
import { type ReportedPayment, reportColumns, reportHeadings, reportRow } from "./report-rows.ts";

/**
 * Semaphore for report files: they are made one at a time, because a file of a hundred thousand rows takes memory and
 * time. Companies take turns, and a company with three waiting files is refused.
 */
export const oneFileAtATime = fairSemaphore({ perCompany: 1, overall: 1, waitingMax: 3 });

/** Rows read and written per slice, so that other requests are answered in between. */
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
  const rows = await db.readCompany(companyId, (tx) => listBoletoReportRows(tx, batchId));
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    yield rows.slice(at, at + rowsAtOnce);
    await setImmediate();
  }
}

type Pieces = (
  services: Pick<Services, "db">,
  of: { companyId: string; batchId: string },
  format: Call<typeof downloadBatchReport>["query"]["format"],
) => ReturnType<typeof tablePieces>;

const name = "Pagamentos";
const piecesOf: Readonly<Record<PaymentKind, Pieces>> = {
  TRANSFER: (services, { companyId, batchId }, format) =>
    tablePieces(
      {
        name,
        headings: reportHeadings,
        slices: transferSlices(services, companyId, batchId),
        cellsOf: reportRow,
      },
      format,
    ),
  BILLET: (services, { companyId, batchId }, format) =>
    tablePieces(
      {
        name,
        headings: boletoReportHeadings,
        slices: boletoSlices(services, companyId, batchId),
        cellsOf: (row) => row,
      },
      format,
    ),
};

/** Sends the report file. Only its creation is queued, so a slow download does not delay others. */
export async function downloadReport(services: Services, call: Call<typeof downloadBatchReport>) {
  const { batch, file } = await oneFileAtATime(call.actor.companyId, () => writeReport(services, call));
  const { format } = call.query;
  const name = plainFileName(`Pagamentos ${batch.name}`, "lote");
  return sendFile(call.reply, { name: `${name}.${format}`, type: fileTypes[format], content: file });
}

async function writeReport(services: Services, { params, query, actor }: Call<typeof downloadBatchReport>) {
  const batch = await services.db.readCompany(actor.companyId, (tx) => getBatch(tx, params.id));
  const pieces = piecesOf[batch.type](
    services,
    { companyId: actor.companyId, batchId: batch.id },
    query.format,
  );
  // The file is whole in memory, so that a slow download holds no connection.
  return { batch, file: await buffer(pieces) };
}

/** Returns the address of the report, and records the checkpoint of the first one. */
export async function requestReport(tx: Tx, call: Call<typeof requestBatchReport>) {
  const batch = await getBatch(tx, call.params.id);
  await recordReportCheckpoint(tx, call);
  return { url: `${bases.payments}/batch/${batch.id}/report` };
}
