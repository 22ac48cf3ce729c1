import * as contracts from "@malote/contracts/reports";
import { downloadExport } from "../exports/index.ts";
import type { Feature } from "../platform/feature.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { reportExportKinds } from "./kinds.ts";
import { readReport } from "./read.ts";
import { requestPayouts, requestStatement } from "./request.ts";

export function reportRoutes({ serve, serveOutside }: Serve, services: Services): void {
  const { jobs, db } = services;
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
  // STM-024 requires GET for these calls, although they record a request.
  serveOutside(contracts.requestStatementOfx, { queue: "none" }, (call) =>
    db.withCompany(call.actor.companyId, (tx) =>
      requestStatement(tx, call, jobs, "statement_ofx", call.query),
    ),
  );
  serveOutside(contracts.requestStatementPdf, { queue: "none" }, (call) =>
    db.withCompany(call.actor.companyId, (tx) =>
      requestStatement(tx, call, jobs, "statement_pdf", call.query),
    ),
  );
  serve(contracts.readReport, readReport);
  serveOutside(contracts.downloadReport, { queue: "none" }, (call) =>
    downloadExport(services, call, reportExportKinds),
  );
}

export const reportsFeature: Feature = { routes: reportRoutes, exports: reportExportKinds };
