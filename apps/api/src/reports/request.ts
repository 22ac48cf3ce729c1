/** Requests for reports. A job makes the file and an e-mail announces it (TRF-060, STM-025). */
import type { createPayoutReport, ReportKind, requestStatementCsv } from "@malote/contracts/reports";
import { addDays, type CalendarDate, daysBetween } from "@malote/domain/calendar";
import { statementPdfEntriesMax, statementReportDaysMax, transferReportDaysMax } from "@malote/domain/limits";
import { recordCheckpoint, recordReportCheckpoint } from "../company/index.ts";
import { type Requester, requestExport } from "../exports/index.ts";
import { countPaymentLines, readPeriod } from "../ledger/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { ReportRequest } from "./forms.ts";
import { reportKind } from "./kinds.ts";
import type { StatementKind } from "./statement.ts";

async function request(
  tx: Tx,
  call: Requester,
  jobs: Pick<Jobs, "enqueue">,
  kind: ReportKind,
  {
    initialDate,
    endDate,
    filter = {},
    lines,
  }: Partial<ReportRequest> & Pick<ReportRequest, "initialDate" | "endDate">,
) {
  const id = await requestExport(tx, call, jobs, reportKind(kind), {
    request: { initialDate, endDate, filter, ...(lines && { lines }) },
    detail: { kind, from: initialDate, to: endDate },
  });
  await recordReportCheckpoint(tx, call);
  return { id };
}

/** Counts the days of a period including both ends; throws when it ends before it begins. */
function daysOf(initialDate: string, endDate: string): number {
  if (endDate < initialDate) throw new AppError("invalid_request", { fields: ["endDate"] });
  return daysBetween(initialDate as CalendarDate, endDate as CalendarDate) + 1;
}

/** TRF-057, TRF-059: requests a report of payouts, over 31 days at most. */
export function requestPayouts(tx: Tx, call: Call<typeof createPayoutReport>, jobs: Pick<Jobs, "enqueue">) {
  const { created_at__gte, created_at__lte, status__in, search, bank_id } = call.body;
  if (created_at__lte < created_at__gte)
    throw new AppError("invalid_request", { fields: ["created_at__lte"] });
  if (daysOf(created_at__gte, created_at__lte) > transferReportDaysMax)
    throw new AppError("payout_report_range", { days: transferReportDaysMax });
  return request(tx, call, jobs, "payouts", {
    initialDate: created_at__gte,
    endDate: created_at__lte,
    filter: {
      statuses: [...new Set(status__in)],
      ...(search && { search }),
      ...(bank_id && { bankId: bank_id }),
    },
  });
}

/** Period and lines of a statement, as its calls take them. */
type StatementRequest = Call<typeof requestStatementCsv>["body"];

/** STM-023, STM-024: requests one of the statement's two spreadsheets of a period. */
export async function requestStatement(
  tx: Tx,
  call: Requester,
  jobs: Pick<Jobs, "enqueue">,
  kind: StatementKind,
  { initialDate, endDate, lines }: StatementRequest,
) {
  if (daysOf(initialDate, endDate) > statementReportDaysMax)
    throw new AppError("statement_report_range", { days: statementReportDaysMax });
  if (kind === "statement_pdf") {
    const dayAfter = addDays(endDate as CalendarDate, 1);
    const { opening, closing } = await readPeriod(tx, initialDate as CalendarDate, dayAfter);
    const period = { after: opening.seq, upTo: closing.seq };
    const count = lines === "payments" ? await countPaymentLines(tx, period) : period.upTo - period.after;
    if (count > statementPdfEntriesMax)
      throw new AppError("statement_pdf_too_long", { max: statementPdfEntriesMax.toLocaleString("pt-BR") });
  }
  // STM-022: users of the old report find the new one in the menu.
  if (kind === "statement_xlsx")
    await recordCheckpoint(tx, "HAS_USED_OLD_STATEMENT_REPORT", call.actor.id, call.now);
  return request(tx, call, jobs, kind, { initialDate, endDate, ...(lines === "payments" && { lines }) });
}
