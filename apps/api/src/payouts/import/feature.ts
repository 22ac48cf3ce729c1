/** Upload and storage of a sheet, and its import in the background while the screen shows the progress. */
import * as batchIssues from "@malote/contracts/batch-issues";
import * as contracts from "@malote/contracts/import";
import { type Feature, usualPauseMs } from "../../platform/feature.ts";
import type { Serve } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { downloadBadRows } from "./bad-rows.ts";
import { importSheet } from "./import-sheet.ts";
import { importOverdueSheets } from "./overdue.ts";
import { cancelSheet, getSheet, readSheet, sheetOf } from "./read-sheet.ts";
import { sendModelSheet } from "./send-model-sheet.ts";
import { importItems, startImport } from "./start-import.ts";
import { tidySheets } from "./tidy-sheets.ts";
import { uploadSheet } from "./upload-sheet.ts";

export function importRoutes({ serve, serveOutside }: Serve, services: Services): void {
  serveOutside(contracts.uploadSheet, { queue: "none" }, async (call) => {
    const id = await uploadSheet(services, call);
    return services.db.withCompany(call.actor.companyId, async (tx) => sheetOf(await getSheet(tx, id)));
  });
  serveOutside(contracts.importBoletoSheet, { queue: "none" }, async (call) => {
    const id = await uploadSheet(services, call);
    return services.db.withCompany(call.actor.companyId, (tx) => startImport(tx, services, call, id));
  });
  serve(contracts.importSheet, (tx, call) =>
    "sheet_id" in call.body
      ? startImport(tx, services, call, call.body.sheet_id, call.body.columns)
      : importItems(tx, call, call.body),
  );
  serve(contracts.readSheet, readSheet);
  serve(contracts.cancelSheet, cancelSheet);
  serveOutside(batchIssues.downloadBadRows, { queue: "none" }, (call) => downloadBadRows(services, call));
  serveOutside(contracts.downloadModelSheet, { queue: "none" }, sendModelSheet);
}

declare module "../../platform/jobs/jobs.ts" {
  interface JobData {
    "import-sheet": { companyId: string; sheetId: string };
  }
}

export const importFeature: Feature = {
  routes: importRoutes,
  jobs: {
    // A process that dies with the job consumes a try; three restarts in a row must not leave a sheet unread forever.
    "import-sheet": { concurrencyMax: 1, tries: 50, retryDelaySecondsMax: 2, run: importSheet },
  },
  schedules: [{ name: "reading sheets whose job was lost", everyMs: usualPauseMs, run: importOverdueSheets }],
  tidy: tidySheets,
};
