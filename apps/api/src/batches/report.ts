/** Files of a batch: its payments with how each went, and the bad rows of its sheet. */
import type { downloadBadRows, downloadBatchReport } from "@malote/contracts/batches";
import { findBankByIspb } from "@malote/domain/banks";
import { type CalendarDate, formatDate, saoPauloDate } from "@malote/domain/calendar";
import { type Issue, issueSheetText } from "@malote/domain/issues";
import { cents, formatAmount } from "@malote/domain/money";
import { formatPixKey } from "@malote/domain/pix-key";
import { maskTaxId } from "@malote/domain/tax-id";
import { sql } from "kysely";
import { billetReportHeadings, billetReportRows, wrongBillets } from "../billets/index.ts";
import {
  badRowsSheet,
  billetRepair,
  type Repair,
  repairTable,
  transferRepair,
  writeTable,
} from "../import/index.ts";
import { boundedQueue } from "../platform/auth/passwords.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { draftOf, type TransferRow, transferColumns } from "../transfers/index.ts";
import { getBatch } from "./read.ts";
import type { BatchRow } from "./store.ts";

/** A file of a hundred thousand rows takes memory and time: one is made after another, and a longer line is refused. */
const oneFileAtATime = boundedQueue(1, 8);

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

function keyOf({ pix_key, pix_key_type }: TransferRow): string {
  if (!pix_key || !pix_key_type) return "";
  return pix_key_type === "CPF" ? maskTaxId(pix_key) : formatPixKey(pix_key_type, pix_key);
}

function reportRow(row: TransferRow): string[] {
  const bank = row.bank_ispb ? findBankByIspb(row.bank_ispb) : undefined;
  return [
    row.name ?? "",
    row.tax_id ? maskTaxId(row.tax_id) : "",
    row.payment_method === "PIX" ? "Pix" : row.payment_method,
    bank ? `${bank.code ?? bank.ispb} ${bank.name}` : "",
    [row.agency, row.agency_digit].filter(Boolean).join("-"),
    [row.account, row.account_digit].filter(Boolean).join("-"),
    keyOf(row),
    formatAmount(cents(row.value ?? 0)),
    statusNames[row.status],
    row.status_description ?? "",
    day(row.transfer_date ?? row.returned_date),
    row.integration_id ?? "",
    row.end_to_end_id ?? "",
  ];
}

async function reportOf(tx: Tx, { id, type }: Pick<BatchRow, "id" | "type">): Promise<string[][]> {
  return type === "BILLET"
    ? [billetReportHeadings, ...(await billetReportRows(tx, id))]
    : [reportHeadings, ...(await rowsOf(tx, id, false)).map(reportRow)];
}

export const downloadReport: typeof writeReport = (parts, call) =>
  oneFileAtATime(() => writeReport(parts, call));

async function writeReport({ db }: Parts, call: Call<typeof downloadBatchReport>) {
  const { params, query, actor, reply } = call;
  const { batch, table } = await db.withCompany(actor.companyId, async (tx) => {
    const batch = await getBatch(tx, params.id);
    return { batch, table: await reportOf(tx, batch) };
  });
  const file = await writeTable("Pagamentos", table, query.format);
  return reply
    .type(contentTypes[query.format])
    .header(
      "content-disposition",
      `attachment; filename="${fileNameOf(`Pagamentos ${batch.name}`, query.format)}"`,
    )
    .send(file);
}

async function badRowsOf(tx: Tx, { id, type }: Pick<BatchRow, "id" | "type">, today: CalendarDate) {
  if (type === "BILLET") return withReasons(await wrongBillets(tx, id), billetRepair(today));
  const wrong = (await rowsOf(tx, id, true)).map((row) => ({
    cells: row.sheet_cells,
    draft: draftOf(row),
    errors: row.errors ?? [],
  }));
  return withReasons(wrong, transferRepair);
}

function withReasons<Draft>(
  wrong: readonly { cells: Record<string, string> | null; draft: Draft; errors: readonly Issue[] }[],
  repair: Repair<Draft>,
) {
  const { headings, rows } = repairTable(wrong, repair);
  return {
    headings,
    rows: wrong.map(({ errors }, at) => ({
      raw: rows[at] ?? [],
      reasons: [...new Set(errors.map(issueSheetText))],
    })),
  };
}

export const downloadBad: typeof writeBad = (parts, call) => oneFileAtATime(() => writeBad(parts, call));

async function writeBad({ db }: Parts, call: Call<typeof downloadBadRows>) {
  const { params, query, actor, reply } = call;
  const { batch, headings, rows } = await db.withCompany(actor.companyId, async (tx) => {
    const batch = await getBatch(tx, params.id);
    return { batch, ...(await badRowsOf(tx, batch, saoPauloDate(call.now))) };
  });
  const file = await badRowsSheet(headings, rows, query.format);
  return reply
    .type(contentTypes[query.format])
    .header(
      "content-disposition",
      `attachment; filename="${fileNameOf(`Corrigir ${batch.name}`, query.format)}"`,
    )
    .send(file);
}
