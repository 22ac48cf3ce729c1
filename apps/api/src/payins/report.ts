/** The list as a sheet (PAY-036): the request is stored, the rows are written while the file is fetched. */
import { formatDate, saoPauloDate } from "@malote/domain/calendar";
import { formatAmount } from "@malote/domain/money";
import { payinStatusNames, payinTypeNames } from "@malote/domain/payin-names";
import { formatTaxId, maskTaxId } from "@malote/domain/tax-id";
import { sql } from "kysely";
import type { StreamedKind } from "../exports/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { matching, type PayinFilters } from "./read.ts";
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

export const payinExport: StreamedKind<PayinRow, PayinFilters> = {
  madeBy: "download",
  kind: "payins",
  requested: "payin_report_requested",
  name: "Recebimentos",
  path: { base: "payments", below: "/app/payin_reports" },
  headings,
  rowsAfter,
  cellsOf: rowOf,
};

async function rowsAfter(tx: Tx, filters: PayinFilters, last: PayinRow | undefined, askedAt: Date) {
  const beyond = last
    ? sql`(p.created_at, p.id) < (${last.created_at}, ${last.id}::uuid)`
    : sql`p.created_at <= ${askedAt}`;
  const { rows } = await sql<PayinRow>`
    SELECT ${payinColumns} FROM payins p WHERE ${matching(tx, filters)} AND ${beyond}
    ORDER BY p.created_at DESC, p.id DESC LIMIT ${rowsAtOnce}
  `.execute(tx);
  return rows;
}
