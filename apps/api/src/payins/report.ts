/** The list as a sheet (PAY-036): the request is stored, and the rows are written while the file is downloaded. */
import { formatDate, saoPauloDate } from "@malote/domain/calendar";
import { formatAmount } from "@malote/domain/money";
import { payinStatusNames, payinTypeNames } from "@malote/domain/payin-names";
import { formatTaxId, maskTaxId } from "@malote/domain/tax-id";
import type { StreamedKind } from "../exports/index.ts";
import { listPayinsAfter, type PayinFilters } from "./list-store.ts";
import type { PayinRow } from "./store.ts";

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
  rowsAfter: (tx, filters, last, requestedAt) =>
    listPayinsAfter(tx, filters, last, { requestedAt, max: rowsAtOnce }),
  cellsOf: rowOf,
};
