/** CRD-010: the list as a sheet, as the payins' is made. */
import { Readable } from "node:stream";
import {
  type downloadReceivableReport,
  type readReceivableReport,
  receivableStatusNames,
  type requestReceivableReport,
} from "@malote/contracts/card-receivables";
import { type CalendarDate, formatDate, saoPauloDate } from "@malote/domain/calendar";
import { cents, formatAmount } from "@malote/domain/money";
import { sql } from "kysely";
import { csvPieces } from "../import/index.ts";
import { findReport, insertReport, linkOf } from "../payins/index.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import {
  expectCardCharge,
  matching,
  type ReceivableFilters,
  type ReceivableRow,
  receivableColumns,
} from "./read.ts";

const rowsAtOnce = 1_000;
const headings = [
  "Data da transação",
  "Código de autorização",
  "Parcela",
  "Valor bruto",
  "Valor líquido",
  "Data de recebimento",
  "Status",
];

const rowOf = (row: ReceivableRow): string[] => [
  formatDate(saoPauloDate(row.sold_at)),
  row.authorization_code,
  `${row.installment} de ${row.installments}`,
  formatAmount(cents(row.gross_amount)),
  formatAmount(cents(row.net_amount)),
  formatDate((row.receive_date ?? row.expected_receive_date) as CalendarDate),
  receivableStatusNames[row.status],
];

const fileNameOf = (at: Date) => `Recebiveis de cartao ${saoPauloDate(at)}.csv`;

async function getReport(tx: Tx, id: string) {
  await expectCardCharge(tx);
  return findReport(tx, "card_receivables", id);
}

export async function request(tx: Tx, call: Call<typeof requestReceivableReport>) {
  await expectCardCharge(tx);
  const id = await insertReport(tx, "card_receivables", call.body, call.now);
  await audit(tx, call, "card_receivables_report_requested", id, call.body);
  return { id };
}

export async function state(tx: Tx, { params }: Call<typeof readReceivableReport>) {
  const report = await getReport(tx, params.id);
  return {
    link: linkOf("cards", "/app/card_receivables_reports", report),
    filename: fileNameOf(report.created_at),
  };
}

export async function download(
  { db }: Parts,
  { params, actor, reply }: Call<typeof downloadReceivableReport>,
) {
  const report = await db.readCompany(actor.companyId, (tx) => getReport(tx, params.id));
  const filters = report.filters as ReceivableFilters;
  const readAfter = (last: ReceivableRow | undefined) =>
    db.readCompany(actor.companyId, (tx) => rowsAfter(tx, filters, last));
  return reply
    .type("text/csv; charset=utf-8")
    .header("content-disposition", `attachment; filename="${fileNameOf(report.created_at)}"`)
    .send(Readable.from(csvPieces(headings, readAfter, rowOf)));
}

/** In the order they were sold, which no settlement changes while the sheet is written. */
async function rowsAfter(tx: Tx, filters: ReceivableFilters, last: ReceivableRow | undefined) {
  const beyond = last ? sql`(r.sold_at, r.id) < (${last.sold_at}, ${last.id}::uuid)` : sql`true`;
  const { rows } = await sql<ReceivableRow>`
    SELECT ${receivableColumns} FROM card_receivables r WHERE ${matching(tx, filters)} AND ${beyond}
    ORDER BY r.sold_at DESC, r.id DESC LIMIT ${rowsAtOnce}
  `.execute(tx);
  return rows;
}
