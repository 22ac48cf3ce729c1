/** The clock's housekeeping of reports that were asked for as a file. */
import { tidyAskedFiles } from "../platform/files/asked-files.ts";
import type { Parts } from "../platform/parts.ts";
import { emailReportFailed } from "./emails.ts";
import { endReport, findReport, reportFiles } from "./store.ts";

export async function tidyReports(parts: Parts): Promise<void> {
  await tidyAskedFiles(parts, reportFiles, async (tx, id) => {
    if (!(await endReport(tx, id, { state: "failed" }))) return false;
    const request = await findReport(tx, id);
    if (request) await emailReportFailed(tx, parts, request);
    return true;
  });
}
