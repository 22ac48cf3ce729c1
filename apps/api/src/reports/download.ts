/** A report that was asked for: how far it is, and its file. */
import { existsSync } from "node:fs";
import type { downloadReport, readReport } from "@malote/contracts/reports";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import { sendFile } from "../platform/http/send-file.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { reportFileName, reportForms } from "./forms.ts";
import { findReport, type ReportRequest, type ReportState } from "./store.ts";

async function getReport(tx: Tx, id: string): Promise<ReportRequest> {
  const request = await findReport(tx, id);
  if (!request) throw new AppError("not_found");
  return request;
}

/** Over is over, also before the housekeeping has come by. */
const stateAt = ({ state, expires_at }: ReportRequest, now: Date): ReportState =>
  state === "ready" && expires_at <= now ? "expired" : state;

export async function read(tx: Tx, { params, now }: Call<typeof readReport>) {
  const request = await getReport(tx, params.id);
  return {
    id: request.id,
    kind: request.kind,
    state: stateAt(request, now),
    initialDate: request.initial_date,
    endDate: request.end_date,
    rows_count: request.rows_count,
    file_name: reportFileName(request),
    requested_at: request.created_at.toISOString(),
    expires_at: request.expires_at.toISOString(),
  };
}

export async function download(parts: Parts, { params, actor, now, reply }: Call<typeof downloadReport>) {
  const request = await parts.db.readCompany(actor.companyId, (tx) => getReport(tx, params.id));
  const state = stateAt(request, now);
  if (state === "making") throw new AppError("report_not_ready");
  if (state !== "ready" || !request.file_key || !existsSync(parts.files.pathOf(request.file_key)))
    throw new AppError("report_expired");
  return sendFile(reply, {
    name: reportFileName(request),
    type: reportForms[request.kind].type,
    bytes: request.file_bytes,
    content: parts.files.read(request.file_key),
  });
}
