/** Files of a batch: its payments with how each went, and the bad rows of its sheet. */
import type { downloadBadRows, downloadBatchReport } from "@malote/contracts/batches";
import { accountTypeNames } from "@malote/domain/bank-account";
import { findBankByIspb } from "@malote/domain/banks";
import { type CalendarDate, formatDate, saoPauloDate } from "@malote/domain/calendar";
import { issueSheetText } from "@malote/domain/issues";
import { cents, formatAmount } from "@malote/domain/money";
import { formatPixKey } from "@malote/domain/pix-key";
import { formatTaxId, maskTaxId } from "@malote/domain/tax-id";
import { sql } from "kysely";
import { badRowsSheet, modelHeadings, writeTable } from "../import/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { type TransferRow, transferColumns } from "../transfers/index.ts";
import { getBatch } from "./read.ts";

const contentTypes = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
};

/** A name a person chose, made fit for a header and a disk. */
const fileNameOf = (name: string, ending: string) =>
  `${
    name
      .normalize("NFD")
      .replace(/[^\w -]/g, "")
      .trim()
      .slice(0, 60) || "lote"
  }.${ending}`;

async function rowsOf(tx: Tx, batchId: string, onlyWrong: boolean): Promise<TransferRow[]> {
  const { rows } = await sql<TransferRow>`
    SELECT ${transferColumns} FROM transfers t
    WHERE t.company_id = ${tx.companyId} AND t.batch_id = ${batchId} AND (NOT ${onlyWrong}::boolean OR t.errors IS NOT NULL)
    ORDER BY t.position, t.id
  `.execute(tx);
  return rows;
}

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

const reportHeadings = [
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

function reportRow(row: TransferRow): string[] {
  const bank = row.bank_ispb ? findBankByIspb(row.bank_ispb) : undefined;
  return [
    row.name ?? "",
    row.tax_id ? maskTaxId(row.tax_id) : "",
    row.payment_method === "PIX" ? "Pix" : row.payment_method,
    bank ? `${bank.code ?? bank.ispb} ${bank.name}` : "",
    [row.agency, row.agency_digit].filter(Boolean).join("-"),
    [row.account, row.account_digit].filter(Boolean).join("-"),
    row.pix_key && row.pix_key_type ? formatPixKey(row.pix_key_type, row.pix_key) : "",
    formatAmount(cents(row.value ?? 0)),
    statusNames[row.status],
    row.status_description ?? "",
    day(row.transfer_date ?? row.returned_date),
    row.integration_id ?? "",
    row.end_to_end_id ?? "",
  ];
}

export async function downloadReport({ db }: Parts, call: Call<typeof downloadBatchReport>) {
  const { params, query, actor, reply } = call;
  const { batch, rows } = await db.withCompany(actor.companyId, async (tx) => {
    const batch = await getBatch(tx, params.id);
    return { batch, rows: await rowsOf(tx, batch.id, false) };
  });
  const file = await writeTable("Pagamentos", [reportHeadings, ...rows.map(reportRow)], query.format);
  return reply
    .type(contentTypes[query.format])
    .header(
      "content-disposition",
      `attachment; filename="${fileNameOf(`Pagamentos ${batch.name}`, query.format)}"`,
    )
    .send(file);
}

/** The cells of a row that was typed, not imported, in the model's own columns. */
function typedCells(row: TransferRow, headings: readonly string[]): Record<string, string> {
  const bank = row.bank_ispb ? findBankByIspb(row.bank_ispb) : undefined;
  const cells = [
    row.name,
    row.tax_id && formatTaxId(row.tax_id),
    row.email,
    bank?.code ?? bank?.name,
    row.agency,
    row.agency_digit,
    row.account,
    row.account_digit,
    row.account_type && accountTypeNames[row.account_type as keyof typeof accountTypeNames],
    row.value === null ? "" : formatAmount(cents(row.value)),
    row.integration_id,
    row.payment_date && formatDate(row.payment_date as CalendarDate),
    row.pix_description,
  ];
  return Object.fromEntries(headings.map((heading, index) => [heading, cells[index] ?? ""]));
}

export async function downloadBad({ db }: Parts, call: Call<typeof downloadBadRows>) {
  const { params, query, actor, reply } = call;
  const { batch, rows } = await db.withCompany(actor.companyId, async (tx) => {
    const batch = await getBatch(tx, params.id);
    return { batch, rows: await rowsOf(tx, batch.id, true) };
  });
  const imported = rows.find((row) => row.sheet_cells);
  const headings = imported?.sheet_cells ? Object.keys(imported.sheet_cells) : modelHeadings("transfer");
  const file = await badRowsSheet(
    headings,
    rows.map((row) => {
      const cells = row.sheet_cells ?? typedCells(row, headings);
      return {
        raw: headings.map((heading) => cells[heading] ?? ""),
        reasons: [...new Set((row.errors ?? []).map(issueSheetText))],
      };
    }),
    query.format,
  );
  return reply
    .type(contentTypes[query.format])
    .header(
      "content-disposition",
      `attachment; filename="${fileNameOf(`Corrigir ${batch.name}`, query.format)}"`,
    )
    .send(file);
}
