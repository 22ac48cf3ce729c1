/** Statements and the report of the transfers page: six files, whose requests share one limit. */
import { type ReportKind, reportKinds } from "@malote/contracts/reports";
import type { TransferPageFilter } from "@malote/contracts/transfers";
import { type CalendarDate, formatDate } from "@malote/domain/calendar";
import { reportExports } from "@malote/domain/limits";
import type { Export, ExportEmails, FileKind } from "../exports/index.ts";
import { type Period, reportFileName, reportForms } from "./forms.ts";
import { payoutReport } from "./payouts.ts";
import { statementReport } from "./statement.ts";

export interface ReportRequest extends Period {
  /** Of a report of payouts; the others have none. */
  filter: { statuses?: TransferPageFilter[]; search?: string; bankId?: string };
}

export const reportKind = (kind: ReportKind): FileKind<ReportRequest> => ({
  madeBy: "job",
  kind,
  limit: { kinds: reportKinds, atOnceMax: reportExports.atOnceMax, refusal: "reports_at_once" },
  refusals: { making: "report_not_ready", expired: "report_expired" },
  trail: { requested: "report_requested", givenUp: "report_given_up", removed: "report_removed" },
  file: async (_tx, { request }) => ({ name: reportFileName(kind, request), type: reportForms[kind].type }),
  write: (parts, companyId, { request }) =>
    kind === "payouts"
      ? payoutReport(parts, companyId, request)
      : statementReport(parts, companyId, request, kind),
  email: async (_tx, asked) => emailsOf(kind, asked),
});

export const reportExportKinds = reportKinds.map(reportKind);

const number = new Intl.NumberFormat("pt-BR");

function emailsOf(kind: ReportKind, { id, request, rows_count }: Export<ReportRequest>): ExportEmails {
  const isOfPayouts = kind === "payouts";
  const what = isOfPayouts ? "relatório" : "extrato";
  // Where it was asked for, and where its link opens.
  const page = isOfPayouts ? "/pagamentos/transferencias" : "/pagamentos/saldo";
  const { name, ending } = reportForms[kind];
  const [from, to] = [request.initialDate, request.endDate].map((day) => formatDate(day as CalendarDate));
  const period = { label: "Período", value: `${from} a ${to}` };
  return {
    ready: {
      subject: `Seu ${what} está pronto`,
      paragraph: `O ${what} que você pediu está pronto para baixar.`,
      facts: [
        { label: "Arquivo", value: `${name} (${ending.toUpperCase()})` },
        period,
        { label: isOfPayouts ? "Transferências" : "Lançamentos", value: number.format(rows_count ?? 0) },
      ],
      button: { label: `Baixar ${what}`, path: `${page}?arquivo=${id}` },
    },
    failed: {
      subject: `Não foi possível preparar seu ${what}`,
      paragraph: `Não foi possível preparar o ${what} que você pediu. Peça de novo.`,
      facts: [period],
      button: { label: "Pedir de novo", path: page },
    },
  };
}
