/** Kinds of statements and of the transfers page's report: six files, whose requests share one limit. */
import { type ReportKind, reportKinds } from "@malote/contracts/reports";
import { type CalendarDate, formatDate } from "@malote/domain/calendar";
import { reportExports } from "@malote/domain/limits";
import { written } from "../emails/index.ts";
import type { Export, ExportEmails, FileKind } from "../exports/index.ts";
import { type ReportRequest, reportFileName, reportForms } from "./forms.ts";
import { payoutReport } from "./payouts.ts";
import { writeStatementReport } from "./statement.ts";

export const reportKind = (kind: ReportKind): FileKind<ReportRequest> => ({
  madeBy: "job",
  kind,
  limit: { kinds: reportKinds, atOnceMax: reportExports.atOnceMax, refusal: "reports_at_once" },
  refusals: { making: "report_not_ready", expired: "report_expired" },
  trail: { requested: "report_requested", givenUp: "report_given_up", removed: "report_removed" },
  file: async (_tx, { request }) => ({ name: reportFileName(kind, request), type: reportForms[kind].type }),
  write: (services, companyId, { request }) =>
    kind === "payouts"
      ? payoutReport(services, companyId, request)
      : writeStatementReport(services, companyId, request, kind),
  email: async (_tx, requested) => emailsOf(kind, requested),
});

export const reportExportKinds = reportKinds.map(reportKind);

function emailsOf(
  kind: ReportKind,
  { id, request, rows_count, expires_at }: Export<ReportRequest>,
): ExportEmails {
  const { name, ending } = reportForms[kind];
  const [from, to] = [request.initialDate, request.endDate].map((day) => formatDate(day as CalendarDate));
  const requested = { isOfPayouts: kind === "payouts", period: `${from} a ${to}` };
  const file = `${name}${request.lines ? " por pagamento" : ""} (${ending.toUpperCase()})`;
  return {
    ready: written("reportReady", { ...requested, id, file, rows: rows_count ?? 0, expiresAt: expires_at }),
    failed: written("reportFailed", requested),
  };
}
