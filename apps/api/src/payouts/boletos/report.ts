/** Boleto as a row of the payments report of its batch. */
import { findBankByCode } from "@malote/domain/banks";
import { type BoletoStatus, boletoStatusOf } from "@malote/domain/boleto";
import { formatBoletoLine, issuerCode } from "@malote/domain/boleto-code";
import { type CalendarDate, formatDate, saoPauloDate } from "@malote/domain/calendar";
import { cents, formatAmount } from "@malote/domain/money";
import { sql } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import type { BoletoRow } from "./store.ts";

export const boletoReportHeadings = [
  "Descrição",
  "Linha digitável",
  "Banco",
  "Vencimento",
  "Valor",
  "Status",
  "Motivo",
  "Data",
  "ID integração",
  "Identificador (E2E)",
];

const statusNames: Readonly<Record<BoletoStatus, string>> = {
  CREATED: "Criado",
  SCHEDULED: "Agendado",
  EXECUTING: "Em processamento",
  EM_REMESSA: "Em processamento",
  FAILED_INTERNAL: "Em processamento",
  PAID: "Pago",
  FINISHED: "Pago",
  FAILED: "Falha",
  RETURNED: "Devolvido",
};

type ReportRow = Pick<
  BoletoRow,
  | "description"
  | "barcode"
  | "due_date"
  | "value"
  | "status"
  | "status_description"
  | "transfer_date"
  | "returned_date"
  | "integration_id"
> & { end_to_end_id: string | null };

/** Returns the report texts that differ from those of a transfer. */
export function boletoWords({ barcode, status }: Pick<ReportRow, "barcode" | "status">) {
  const bank = findBankByCode(issuerCode(barcode ?? "") ?? "");
  return { bank: bank ? `${bank.code} ${bank.name}` : "", status: statusNames[boletoStatusOf(status)] };
}

function reportRow(row: ReportRow): string[] {
  const { bank, status } = boletoWords(row);
  const moved = row.transfer_date ?? row.returned_date;
  return [
    row.description ?? "",
    formatBoletoLine(row.barcode ?? ""),
    bank,
    row.due_date ? formatDate(row.due_date as CalendarDate) : "",
    formatAmount(cents(row.value ?? 0)),
    status,
    row.status_description ?? "",
    moved ? formatDate(saoPauloDate(moved)) : "",
    row.integration_id ?? "",
    row.end_to_end_id ?? "",
  ];
}

export async function listBoletoReportRows(tx: Tx, batchId: string): Promise<string[][]> {
  const { rows } = await sql<ReportRow>`
    SELECT description, barcode, due_date, value, status, status_description, transfer_date, returned_date,
      integration_id, end_to_end_id
    FROM transfers WHERE company_id = ${tx.companyId} AND batch_id = ${batchId} ORDER BY position, id
  `.execute(tx);
  return rows.map(reportRow);
}
