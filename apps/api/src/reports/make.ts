/** The job: writes a report as a stream, some rows at a time, and tells who asked. */
import { Readable } from "node:stream";
import type { Parts } from "../platform/parts.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { emailReportReady } from "./emails.ts";
import { payoutReport } from "./payouts.ts";
import { statementReport } from "./statement.ts";
import { endReport, findReport, type ReportRequest } from "./store.ts";

/** The pieces of a file as they are written, and how many rows it holds once they are all there. */
export interface Report {
  pieces: AsyncIterable<Uint8Array | string>;
  rows(): number;
}

export async function makeReport(
  parts: Parts,
  { companyId, requestId }: { companyId: string; requestId: string },
): Promise<void> {
  const request = await parts.db.withCompany(companyId, (tx) => findReport(tx, requestId));
  if (request?.state !== "making") return;
  // A name of this try alone: one that was thought dead may still be writing.
  const fileKey = `reports/${companyId}/${requestId}/${uuidv7()}`;
  const report = await reportOf(parts, companyId, request);
  const bytes = await parts.files.put(fileKey, Readable.from(report.pieces, { highWaterMark: 1 }));
  const isOurs = await parts.db.withCompany(companyId, async (tx) => {
    const ended = await endReport(tx, requestId, { state: "ready", rows: report.rows(), fileKey, bytes });
    if (ended) await emailReportReady(tx, parts, { ...request, rows_count: report.rows() });
    return ended;
  });
  if (!isOurs) await parts.files.remove(fileKey);
}

const reportOf = (parts: Parts, companyId: string, request: ReportRequest): Promise<Report> =>
  request.kind === "payouts"
    ? payoutReport(parts, companyId, request)
    : statementReport(parts, companyId, request, request.kind);
