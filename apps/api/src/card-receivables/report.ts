/** CRD-010: the list as a sheet. */
import { receivableStatusNames } from "@malote/contracts/card-receivables";
import { type CalendarDate, formatDate, saoPauloDate } from "@malote/domain/calendar";
import { cents, formatAmount } from "@malote/domain/money";
import { sql } from "kysely";
import type { StreamedKind } from "../exports/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { matching, type ReceivableFilters, type ReceivableRow, receivableColumns } from "./list-store.ts";
import { requireCardCharge } from "./read.ts";

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

export const receivableExport: StreamedKind<ReceivableRow, ReceivableFilters> = {
  madeBy: "download",
  kind: "card_receivables",
  requested: "card_receivables_report_requested",
  name: "Recebíveis de cartão",
  path: { base: "cards", below: "/app/card_receivables_reports" },
  expect: requireCardCharge,
  headings,
  rowsAfter: listRowsAfter,
  cellsOf: rowOf,
};

/** Returns rows in order of sale, which a settlement does not change while the sheet is written. */
async function listRowsAfter(tx: Tx, filters: ReceivableFilters, last: ReceivableRow | undefined) {
  const beyond = last ? sql`(r.sold_at, r.id) < (${last.sold_at}, ${last.id}::uuid)` : sql`true`;
  const { rows } = await sql<ReceivableRow>`
    SELECT ${receivableColumns} FROM card_receivables r WHERE ${matching(tx, filters)} AND ${beyond}
    ORDER BY r.sold_at DESC, r.id DESC LIMIT ${rowsAtOnce}
  `.execute(tx);
  return rows;
}
