/** Export of the list of infractions: requested with the list's filters, made by a job, announced by e-mail. */
import {
  downloadInfractionExport,
  type exportInfractions,
  type InfractionExport,
  type InfractionFilters,
  type readInfractionExport,
} from "@malote/contracts/contestations";
import { bases } from "@malote/contracts/contract";
import { saoPauloDate } from "@malote/domain/calendar";
import { analysisNames, opinionName, situationNames } from "@malote/domain/infraction";
import { infractionExports } from "@malote/domain/limits";
import { cents, formatAmount } from "@malote/domain/money";
import { maskTaxId } from "@malote/domain/tax-id";
import { recordReportCheckpoint } from "../company/index.ts";
import { written } from "../emails/index.ts";
import {
  type Export,
  type ExportState,
  type FileKind,
  getExport,
  requestExport,
  slicesAfter,
  tablePieces,
} from "../exports/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { fileTypes } from "../platform/files/file-types.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { findPage, type InfractionRow } from "./store.ts";

/** Format of moments in the sheet. */
const inSaoPaulo = new Intl.DateTimeFormat("pt-BR", {
  timeZone: "America/Sao_Paulo",
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** Returns a moment such as `24/11/2026 12:30`. */
const dateTime = (instant: Date): string => inSaoPaulo.format(instant).replace(",", "");

const rowsAtOnce = 1_000;

export const infractionsKind: FileKind<InfractionFilters> = {
  madeBy: "job",
  kind: "infractions",
  limit: {
    kinds: ["infractions"],
    atOnceMax: infractionExports.atOnceMax,
    refusal: "infraction_exports_at_once",
  },
  refusals: { making: "infraction_export_not_ready", expired: "infraction_export_expired" },
  trail: {
    requested: "infractions_exported",
    givenUp: "infractions_export_given_up",
    removed: "infractions_export_removed",
  },
  file: async (_tx, requested) => ({ name: nameOf(requested), type: fileTypes.csv }),
  write({ db }, companyId, { request }) {
    let count = 0;
    const slices = slicesAfter<InfractionRow>(async (last) => {
      const cursor = last && ({ towards: "older", at: last.infraction_date, id: last.id } as const);
      const rows = await db.readCompany(companyId, (tx) => findPage(tx, request, cursor, rowsAtOnce));
      count += rows.length;
      return rows;
    });
    const table = { name: "Infrações", headings, slices, cellsOf: sheetRow };
    return { pieces: tablePieces(table, "csv"), rows: () => count };
  },
  email: async (_tx, { id, expires_at }) => ({
    ready: written("infractionsReady", { id, expiresAt: expires_at }),
    failed: written("infractionsFailed", {}),
  }),
};

const nameOf = ({ created_at }: Pick<Export, "created_at">) => `Infrações ${saoPauloDate(created_at)}.csv`;

/** The contract's name of each status. */
const statusOf = {
  making: "processing",
  ready: "succeeded",
  failed: "failed",
  expired: "expired",
} as const satisfies Record<ExportState, InfractionExport["status"]>;

function exportOf(requested: Export): InfractionExport {
  const isReady = requested.state === "ready";
  return {
    id: requested.id,
    status: statusOf[requested.state],
    file_url: isReady ? bases.payments + downloadInfractionExport.path.replace(":id", requested.id) : null,
    file_name: nameOf(requested),
  };
}

export async function requestInfractions(tx: Tx, call: Call<typeof exportInfractions>, jobs: Jobs) {
  const { body: filters, now } = call;
  const id = await requestExport(tx, call, jobs, infractionsKind, { request: filters, detail: filters });
  await recordReportCheckpoint(tx, call);
  return exportOf(await getExport(tx, [infractionsKind], { params: { id }, now }));
}

export const readOne = async (tx: Tx, call: Call<typeof readInfractionExport>) =>
  exportOf(await getExport(tx, [infractionsKind], call));

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
