/** Asking for a report. The file is made by a job, and told of by e-mail (TRF-060, STM-025). */
import type { createPayoutReport, ReportKind } from "@malote/contracts/reports";
import { addDays, type CalendarDate, daysBetween } from "@malote/domain/calendar";
import {
  reportsKept,
  statementPdfEntriesMax,
  statementReportDaysMax,
  transferReportDaysMax,
} from "@malote/domain/limits";
import { noteCheckpoint, noteReport } from "../company/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { countInTheMaking } from "../platform/files/asked-files.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { readPeriod } from "../statement/index.ts";
import { insertReport, type ReportFilter, reportFiles } from "./store.ts";

const dayMs = 24 * 3_600_000;

interface Asked {
  kind: ReportKind;
  initialDate: string;
  endDate: string;
  filter?: ReportFilter;
}

/** Who asks, and when. */
type Asking = Pick<Call<typeof createPayoutReport>, "actor" | "now" | "requestId">;

async function request(tx: Tx, call: Asking, jobs: Pick<Jobs, "enqueue">, asked: Asked) {
  const { kind, initialDate, endDate, filter = {} } = asked;
  if ((await countInTheMaking(tx, reportFiles)) >= reportsKept.atOnceMax)
    throw new AppError("reports_at_once", { max: reportsKept.atOnceMax });
  const { actor, now } = call;
  const id = uuidv7(now.getTime());
  await insertReport(tx, {
    id,
    kind,
    initial_date: initialDate,
    end_date: endDate,
    filter,
    userId: actor.id,
    now,
    expiresAt: new Date(now.getTime() + reportsKept.days * dayMs),
  });
  await audit(tx, call, "report_requested", id, { kind, from: initialDate, to: endDate });
  await noteReport(tx, call);
  await jobs.enqueue(tx, "make-report", { companyId: tx.companyId, requestId: id });
  return { id };
}

/** Days from the first to the last, both counted; a period that ends before it begins is none. */
function daysOf(initialDate: string, endDate: string): number {
  if (endDate < initialDate) throw new AppError("invalid_request", { fields: ["endDate"] });
  return daysBetween(initialDate as CalendarDate, endDate as CalendarDate) + 1;
}

/** TRF-057, TRF-059. */
export function requestPayouts(tx: Tx, call: Call<typeof createPayoutReport>, jobs: Pick<Jobs, "enqueue">) {
  const { created_at__gte, created_at__lte, status__in, search, bank_id } = call.body;
  if (created_at__lte < created_at__gte)
    throw new AppError("invalid_request", { fields: ["created_at__lte"] });
  if (daysOf(created_at__gte, created_at__lte) > transferReportDaysMax)
    throw new AppError("payout_report_range", { days: transferReportDaysMax });
  return request(tx, call, jobs, {
    kind: "payouts",
    initialDate: created_at__gte,
    endDate: created_at__lte,
    filter: {
      statuses: [...new Set(status__in)],
      ...(search && { search }),
      ...(bank_id && { bankId: bank_id }),
    },
  });
}

/** STM-023, STM-024. */
export async function requestStatement(
  tx: Tx,
  call: Asking,
  jobs: Pick<Jobs, "enqueue">,
  kind: Exclude<ReportKind, "payouts">,
  { initialDate, endDate }: { initialDate: string; endDate: string },
) {
  if (daysOf(initialDate, endDate) > statementReportDaysMax)
    throw new AppError("statement_report_range", { days: statementReportDaysMax });
  if (kind === "statement_pdf") {
    const dayAfter = addDays(endDate as CalendarDate, 1);
    const { opening, closing } = await readPeriod(tx, initialDate as CalendarDate, dayAfter);
    if (closing.seq - opening.seq > statementPdfEntriesMax)
      throw new AppError("statement_pdf_too_long", { max: statementPdfEntriesMax.toLocaleString("pt-BR") });
  }
  // STM-022: who has used the old report finds it in the menu again.
  if (kind === "statement_xlsx")
    await noteCheckpoint(tx, "HAS_USED_OLD_STATEMENT_REPORT", call.actor.id, call.now);
  return request(tx, call, jobs, { kind, initialDate, endDate });
}
