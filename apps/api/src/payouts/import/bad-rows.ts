/** Wrong rows of a draft as a sheet to correct and import again. */
import type * as contracts from "@malote/contracts/batch-issues";
import { saoPauloDate } from "@malote/domain/calendar";
import { type Issue, issueSheetText } from "@malote/domain/issues";
import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { plainFileName } from "../../platform/files/file-name.ts";
import { fileTypes } from "../../platform/files/file-types.ts";
import { sendFile } from "../../platform/http/send-file.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { getBatch } from "../batches/read.ts";
import { oneFileAtATime } from "../batches/report.ts";
import type { BatchRow } from "../batches/store.ts";
import { listWrongBoletos } from "../boletos/read.ts";
import type { PaymentKind } from "../payment-columns.ts";
import { sqlIsOutdated } from "../rules/rules-sql.ts";
import { readTransferFacts } from "../transfers/facts.ts";
import { transferOf } from "../transfers/present.ts";
import { draftOf, type TransferRow, transferColumns } from "../transfers/store.ts";
import { writeBadRowsSheet } from "./sheet/bad-rows-sheet.ts";
import { boletoRepair, type Repair, repairTable, transferRepair } from "./sheet/repair-table.ts";
import type { ColumnChoice } from "./sheet/sheet-layout.ts";
import { findColumnsOfSheet } from "./store.ts";

export async function downloadBadRows(services: Services, call: Call<typeof contracts.downloadBadRows>) {
  const { batch, file } = await oneFileAtATime(call.actor.companyId, () => writeBad(services, call));
  const { format } = call.query;
  const name = plainFileName(`Corrigir ${batch.name}`, "lote");
  return sendFile(call.reply, { name: `${name}.${format}`, type: fileTypes[format], content: file });
}

async function writeBad(
  { db }: Services,
  { params, query, actor, now }: Call<typeof contracts.downloadBadRows>,
) {
  const { batch, headings, rows } = await db.withCompany(actor.companyId, async (tx) => {
    const batch = await getBatch(tx, params.id);
    return { batch, ...(await listBadRows(tx, batch, now)) };
  });
  return { batch, file: await writeBadRowsSheet(headings, rows, query.format) };
}

async function listBadRows(tx: Tx, { id, type, sheet_id }: BatchRow, now: Date) {
  const columns = sheet_id === null ? undefined : await findColumnsOfSheet(tx, sheet_id);
  return badRows[type](tx, id, now, columns);
}

type BadRows = (
  tx: Tx,
  batchId: string,
  now: Date,
  columns: ColumnChoice | undefined,
) => Promise<ReturnType<typeof withReasons>>;

/** Wrong rows under the current rules, as the screen counts them: a date that has passed is a reason too. */
const badRows: Readonly<Record<PaymentKind, BadRows>> = {
  async TRANSFER(tx, batchId, now, columns) {
    const facts = await readTransferFacts(tx, now);
    const isWrong = sql`(t.errors IS NOT NULL OR ${sqlIsOutdated(facts)})`;
    const wrong = (await listRows(tx, batchId, isWrong)).map((row) => ({
      cells: row.sheet_cells,
      draft: draftOf(row),
      errors: transferOf(row, facts).errors as Issue[],
      isByKey: row.payment_method === "PIX",
    }));
    return withReasons(wrong, transferRepair, columns);
  },
  BILLET: async (tx, batchId, now, columns) =>
    withReasons(await listWrongBoletos(tx, batchId, now), boletoRepair(saoPauloDate(now)), columns),
};

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

async function listRows(tx: Tx, batchId: string, condition: RawBuilder<unknown>): Promise<TransferRow[]> {
  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns} FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND ${condition}
    ORDER BY t.position, t.id
  `.execute(tx);
  return rows;
}
