/** Payment as a row of a report: its data and outcome, with people's documents masked. */
import { findBankByIspb } from "@malote/domain/banks";
import { formatBoletoLine } from "@malote/domain/boleto-code";
import { formatDate, saoPauloDate } from "@malote/domain/calendar";
import { cents, formatAmount } from "@malote/domain/money";
import { maskPixKey } from "@malote/domain/pix-key";
import { maskTaxId } from "@malote/domain/tax-id";
import { sql } from "kysely";
import { boletoWords } from "../boletos/report.ts";
import type { TransferRow } from "../transfers/store.ts";

const day = (instant: Date | null) => (instant ? formatDate(saoPauloDate(instant)) : "");

const statusNames: Record<TransferRow["status"], string> = {
  CREATED: "Criada",
  RECEIVED: "Em processamento",
  SCHEDULED: "Agendado",
  EXECUTING: "Em processamento",
  EM_REMESSA: "Em processamento",
  FAILED_INTERNAL: "Em processamento",
  TRANSFERRED: "Transferida",
  FINISHED: "Transferida",
  FAILED: "Falha",
  BEING_RETURNED: "Em devolução",
  RETURNED: "Devolvida",
  REQUESTED_REFUND: "A devolver",
};

export const reportHeadings = [
  "Nome ou Razão Social",
  "CPF ou CNPJ",
  "Forma",
  "Banco",
  "Agência",
  "Conta",
  "Chave Pix",
  "Valor",
  "Status",
  "Motivo",
  "Data",
  "ID integração",
  "Identificador (E2E)",
];

function keyOf({ pix_key, pix_key_type }: ReportedPayment): string {
  return pix_key && pix_key_type ? maskPixKey(pix_key_type, pix_key) : "";
}

/**
 * Columns that a report row needs. Reading all columns of a payment doubles the time in the process and in the
 * database.
 */
export const reportColumns = sql`
  t.id, t.batch_id, t.position, t.status, t.value, t.payment_method, t.integration_id, t.name, t.tax_id, t.bank_ispb, t.agency,
  t.agency_digit, t.account, t.account_digit, t.pix_key_type, t.pix_key, t.status_description, t.end_to_end_id, t.transfer_date,
  t.returned_date`;

type ReportColumn =
  | ("id" | "batch_id" | "position" | "status" | "value" | "integration_id" | "name" | "tax_id" | "bank_ispb")
  | (
      | "agency"
      | "agency_digit"
      | "account"
      | "account_digit"
      | "pix_key_type"
      | "pix_key"
      | "status_description"
    )
  | ("end_to_end_id" | "transfer_date" | "returned_date");

/** Transfer, or a boleto among the payments of a month. */
export interface ReportedPayment extends Pick<TransferRow, ReportColumn> {
  payment_method: TransferRow["payment_method"] | "BILLET";
  barcode?: string | null;
  description?: string | null;
}

const methodNames: Readonly<Record<ReportedPayment["payment_method"], string>> = {
  PIX: "Pix",
  TED: "TED",
  TEV: "TEV",
  BILLET: "Boleto",
};

export function reportRow(row: ReportedPayment): string[] {
  const bank = row.bank_ispb ? findBankByIspb(row.bank_ispb) : undefined;
  const boleto = row.barcode ? boletoWords({ ...row, barcode: row.barcode }) : undefined;
  return [
    row.name ?? row.description ?? "",
    row.tax_id ? maskTaxId(row.tax_id) : "",
    methodNames[row.payment_method],
    boleto?.bank ?? (bank ? `${bank.code ?? bank.ispb} ${bank.name}` : ""),
    [row.agency, row.agency_digit].filter(Boolean).join("-"),
    [row.account, row.account_digit].filter(Boolean).join("-"),
    row.barcode ? formatBoletoLine(row.barcode) : keyOf(row),
    formatAmount(cents(row.value ?? 0)),
    boleto?.status ?? statusNames[row.status],
    row.status_description ?? "",
    day(row.transfer_date ?? row.returned_date),
    row.integration_id ?? "",
    row.end_to_end_id ?? "",
  ];
}
