/** The list as a sheet (PAY-036): what was asked for is kept, the rows are written while somebody fetches them. */
import type { downloadPayinReport, readPayinReport, requestPayinReport } from "@malote/contracts/payins";
import { formatDate, saoPauloDate } from "@malote/domain/calendar";
import { formatAmount } from "@malote/domain/money";
import { payinStatusNames, payinTypeNames } from "@malote/domain/payin-names";
import { formatTaxId, maskTaxId } from "@malote/domain/tax-id";
import { sql } from "kysely";
import { noteReport } from "../company/index.ts";
import { sendSheet } from "../payouts/index.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { matching, type PayinFilters } from "./read.ts";
import { findReport, insertReport, linkOf } from "./report-store.ts";
import { type PayinRow, payinColumns } from "./store.ts";

const rowsAtOnce = 1_000;
const headings = [
  "Data",
  "Pagador",
  "CPF/CNPJ",
  "Método",
  "ID Pix",
  "Identificador",
  "Valor",
  "Valor recebido",
  "Valor devolvido",
  "Status",
  "Data do recebimento",
];

const dayOf = (at: Date | null) => (at ? formatDate(saoPauloDate(at)) : "");

const rowOf = (row: PayinRow): string[] => [
  dayOf(row.created_at),
  row.payer_name ?? "",
  row.payer_tax_id ? maskTaxId(formatTaxId(row.payer_tax_id)) : "",
  payinTypeNames[row.payment_type],
  row.end_to_end_id ?? "",
  row.id,
  formatAmount(row.amount),
  formatAmount(row.received_amount),
  formatAmount(row.refunded_amount),
  payinStatusNames[row.status],
  dayOf(row.received_at),
];

export async function request(tx: Tx, call: Call<typeof requestPayinReport>) {
  const id = await insertReport(tx, "payins", call.body, call);
  await audit(tx, call, "payin_report_requested", id, call.body);
  await noteReport(tx, call);
  return { id };
}

export async function state(tx: Tx, { params }: Call<typeof readPayinReport>) {
  const report = await findReport(tx, "payins", params.id);
  return { link: linkOf("payments", "/app/payin_reports", report), filename: fileNameOf(report.created_at) };
}

const fileNameOf = (at: Date) => `Recebimentos ${saoPauloDate(at)}.csv`;

export const download = (parts: Parts, call: Call<typeof downloadPayinReport>) =>
  sendSheet<PayinRow>(parts, call, async () => {
    const { actor, params } = call;
    const report = await parts.db.readCompany(actor.companyId, (tx) => findReport(tx, "payins", params.id));
    const filters = report.filters as PayinFilters;
    return {
      fileName: fileNameOf(report.created_at),
      headings,
      readAfter: (tx, last) => rowsAfter(tx, filters, report.created_at, last),
      cellsOf: rowOf,
    };
  });

async function rowsAfter(tx: Tx, filters: PayinFilters, askedAt: Date, last: PayinRow | undefined) {
  const beyond = last
    ? sql`(p.created_at, p.id) < (${last.created_at}, ${last.id}::uuid)`
    : sql`p.created_at <= ${askedAt}`;
  const { rows } = await sql<PayinRow>`
    SELECT ${payinColumns} FROM payins p WHERE ${matching(tx, filters)} AND ${beyond}
    ORDER BY p.created_at DESC, p.id DESC LIMIT ${rowsAtOnce}
  `.execute(tx);
  return rows;
}
