/** The list as a file: asked for with the list's filters, made by a job, told of by e-mail, and gone after some days. */
import { existsSync } from "node:fs";
import { Readable } from "node:stream";
import {
  downloadInfractionExport,
  type exportInfractions,
  type InfractionExport,
  type readInfractionExport,
} from "@malote/contracts/contestations";
import { bases } from "@malote/contracts/contract";
import { saoPauloDate } from "@malote/domain/calendar";
import { analysisNames, opinionName, situationNames } from "@malote/domain/infraction";
import { infractionExportsKept } from "@malote/domain/limits";
import { cents, formatAmount } from "@malote/domain/money";
import { maskTaxId } from "@malote/domain/tax-id";
import { csvPieces } from "@malote/sheet-reader/write-csv";
import { noteReport } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { countInTheMaking } from "../platform/files/asked-files.ts";
import { fileTypes } from "../platform/files/file-types.ts";
import { sendFile } from "../platform/http/send-file.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Parts } from "../platform/parts.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { emailExportReady } from "./emails.ts";
import {
  type ExportRow,
  type ExportState,
  endExport,
  exportFiles,
  findExport,
  insertExport,
  whoAsked,
} from "./export-store.ts";
import { dateTime } from "./names.ts";
import { findPage, type InfractionRow } from "./store.ts";

const dayMs = 24 * 3_600_000;
const rowsAtOnce = 1_000;

/** Over is over, also before the housekeeping has come by. */
const stateAt = ({ state, expires_at }: ExportRow, now: Date): ExportState =>
  state === "succeeded" && expires_at <= now ? "expired" : state;

const nameOf = ({ created_at }: Pick<ExportRow, "created_at">) => `Infrações ${saoPauloDate(created_at)}.csv`;

const fileOf = ({ id }: Pick<ExportRow, "id">) =>
  bases.payments + downloadInfractionExport.path.replace(":id", id);

function exportOf(row: ExportRow, now: Date): InfractionExport {
  const status = stateAt(row, now);
  return {
    id: row.id,
    status,
    file_url: status === "succeeded" ? fileOf(row) : null,
    file_name: nameOf(row),
  };
}

async function getExport(tx: Tx, id: string): Promise<ExportRow> {
  const row = await findExport(tx, id);
  if (!row) throw new AppError("not_found");
  return row;
}

export async function request(tx: Tx, call: Call<typeof exportInfractions>, jobs: Jobs) {
  const { body: filters, actor, now } = call;
  if ((await countInTheMaking(tx, exportFiles)) >= infractionExportsKept.atOnceMax) {
    throw new AppError("infraction_exports_at_once", { max: infractionExportsKept.atOnceMax });
  }
  const id = uuidv7(now.getTime());
  const expiresAt = new Date(now.getTime() + infractionExportsKept.days * dayMs);
  await insertExport(tx, { id, filters, userId: actor.id, now, expiresAt });
  await audit(tx, call, "infractions_exported", id, filters);
  await noteReport(tx, call);
  await jobs.enqueue(tx, "export-infractions", { companyId: tx.companyId, requestId: id });
  return exportOf(await getExport(tx, id), now);
}

export async function readOne(tx: Tx, { params, now }: Call<typeof readInfractionExport>) {
  return exportOf(await getExport(tx, params.id), now);
}

export async function download(
  { db, files }: Parts,
  { params, actor, now, reply }: Call<typeof downloadInfractionExport>,
) {
  const row = await db.readCompany(actor.companyId, (tx) => getExport(tx, params.id));
  const state = stateAt(row, now);
  if (state === "processing") throw new AppError("infraction_export_not_ready");
  if (state !== "succeeded" || !row.file_key || !existsSync(files.pathOf(row.file_key))) {
    throw new AppError("infraction_export_expired");
  }
  return sendFile(reply, { name: nameOf(row), type: fileTypes.csv, content: files.read(row.file_key) });
}

const headings = [
  "Data",
  "Prazo",
  "Pagador",
  "CPF ou CNPJ",
  "ID Pix (E2E)",
  "ID integração (txid)",
  "Valor",
  "Tipo",
  "Descrição da infração",
  "Parecer",
  "Status",
  "Respondida em",
  "Respondida por",
  "Descrição da análise",
  "Valor devolvido",
];

const sheetRow = (row: InfractionRow): string[] => [
  dateTime(row.infraction_date),
  dateTime(row.analysis_due_at),
  row.payer_name,
  row.payer_tax_id ? maskTaxId(row.payer_tax_id) : "",
  row.transaction_id,
  row.txid ?? "",
  formatAmount(cents(row.amount)),
  situationNames[row.situation_type],
  row.infraction_description ?? "",
  opinionName(row.opinion),
  analysisNames[row.analysis_status],
  row.analysed_at ? dateTime(row.analysed_at) : "",
  row.analysed_by_name ?? "",
  row.analysis_description ?? "",
  row.refunded_amount === null ? "" : formatAmount(cents(row.refunded_amount)),
];

/** The job. Run twice, it makes the file twice, and one of them is kept. */
export async function makeExport(
  parts: Parts,
  { companyId, requestId }: { companyId: string; requestId: string },
): Promise<void> {
  const { db, files } = parts;
  const asked = await db.readCompany(companyId, (tx) => findExport(tx, requestId));
  if (asked?.state !== "processing") return;
  const readAfter = (last: InfractionRow | undefined) => {
    const cursor = last && ({ towards: "older", at: last.infraction_date, id: last.id } as const);
    return db.readCompany(companyId, (tx) => findPage(tx, asked.filters, cursor, rowsAtOnce));
  };
  // A name of this try alone: one that was thought dead may still be writing.
  const fileKey = `infraction-exports/${companyId}/${requestId}/${uuidv7()}`;
  await files.put(fileKey, Readable.from(csvPieces(headings, readAfter, sheetRow)));
  const isOurs = await db.withCompany(companyId, async (tx) => {
    if (!(await endExport(tx, requestId, fileKey))) return false;
    const person = await whoAsked(tx, requestId);
    if (person) await emailExportReady(tx, parts, person, asked);
    return true;
  });
  if (!isOurs) await files.remove(fileKey);
}
