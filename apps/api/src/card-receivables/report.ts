/** CRD-010: the list as a sheet, as the payins' is made. */
import {
  type downloadReceivableReport,
  type readReceivableReport,
  receivableStatusNames,
  type requestReceivableReport,
} from "@malote/contracts/card-receivables";
import { type CalendarDate, formatDate, saoPauloDate } from "@malote/domain/calendar";
import { cents, formatAmount } from "@malote/domain/money";
import { sql } from "kysely";
import { noteReport } from "../company/index.ts";
import { findReport, insertReport, linkOf } from "../payins/index.ts";
import { sendSheet } from "../payouts/index.ts";
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

const fileNameOf = (at: Date) => `Recebíveis de cartão ${saoPauloDate(at)}.csv`;

async function getReport(tx: Tx, id: string) {
  await expectCardCharge(tx);
  return findReport(tx, "card_receivables", id);
}

export async function request(tx: Tx, call: Call<typeof requestReceivableReport>) {
  await expectCardCharge(tx);
  const id = await insertReport(tx, "card_receivables", call.body, call);
  await audit(tx, call, "card_receivables_report_requested", id, call.body);
  await noteReport(tx, call);
  return { id };
}

export async function state(tx: Tx, { params }: Call<typeof readReceivableReport>) {
  const report = await getReport(tx, params.id);
  return {
    link: linkOf("cards", "/app/card_receivables_reports", report),
    filename: fileNameOf(report.created_at),
  };
}

export const download = (parts: Parts, call: Call<typeof downloadReceivableReport>) =>
  sendSheet<ReceivableRow>(parts, call, async () => {
    const { actor, params } = call;
    const report = await parts.db.readCompany(actor.companyId, (tx) => getReport(tx, params.id));
    const filters = report.filters as ReceivableFilters;
    return {
      fileName: fileNameOf(report.created_at),
      headings,
      readAfter: (tx, last) => rowsAfter(tx, filters, last),
      cellsOf: rowOf,
    };
  });

/** In the order they were sold, which no settlement changes while the sheet is written. */
async function rowsAfter(tx: Tx, filters: ReceivableFilters, last: ReceivableRow | undefined) {
  const beyond = last ? sql`(r.sold_at, r.id) < (${last.sold_at}, ${last.id}::uuid)` : sql`true`;
  const { rows } = await sql<ReceivableRow>`
    SELECT ${receivableColumns} FROM card_receivables r WHERE ${matching(tx, filters)} AND ${beyond}
    ORDER BY r.sold_at DESC, r.id DESC LIMIT ${rowsAtOnce}
  `.execute(tx);
  return rows;
}
