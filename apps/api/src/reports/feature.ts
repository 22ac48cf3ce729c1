import * as contracts from "@malote/contracts/reports";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { download, read } from "./download.ts";
import { makeReport } from "./make.ts";
import { requestPayouts, requestStatement } from "./request.ts";
import { tidyReports } from "./tidy.ts";

export function reportRoutes({ serve, serveOutside }: Serve, parts: Parts): void {
  const { jobs, db } = parts;
  serve(contracts.createPayoutReport, (tx, call) => requestPayouts(tx, call, jobs));
  serve(contracts.requestStatementXlsx, (tx, call) =>
    requestStatement(tx, call, jobs, "statement_xlsx", call.body),
  );
  serve(contracts.requestStatementXlsxV2, (tx, call) =>
    requestStatement(tx, call, jobs, "statement_xlsx_v2", call.body),
  );
  serve(contracts.requestStatementCsv, (tx, call) =>
    requestStatement(tx, call, jobs, "statement_csv", call.body),
  );
  // STM-024 names these GET, though they write down that somebody asked.
  serveOutside(contracts.requestStatementOfx, (call) =>
    db.withCompany(call.actor.companyId, (tx) =>
      requestStatement(tx, call, jobs, "statement_ofx", call.query),
    ),
  );
  serveOutside(contracts.requestStatementPdf, (call) =>
    db.withCompany(call.actor.companyId, (tx) =>
      requestStatement(tx, call, jobs, "statement_pdf", call.query),
    ),
  );
  serve(contracts.readReport, read);
  serveOutside(contracts.downloadReport, (call) => download(parts, call));
}

declare module "../platform/jobs/jobs.ts" {
  interface JobData {
    "make-report": { companyId: string; requestId: string };
  }
}

export const feature: Feature = {
  routes: reportRoutes,
  jobs: { "make-report": { atOnce: 1, tries: 20, restSecondsMax: 30, run: makeReport } },
  tidy: tidyReports,
};
