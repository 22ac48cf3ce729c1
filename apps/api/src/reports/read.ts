/** Progress of a requested report. */
import type * as contracts from "@malote/contracts/reports";
import { getExport } from "../exports/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import { reportFileName } from "./forms.ts";
import { reportExportKinds } from "./kinds.ts";

export async function readReport(tx: Tx, call: Call<typeof contracts.readReport>) {
  const requested = await getExport(tx, reportExportKinds, call);
  const kind = requested.kind as contracts.ReportKind;
  return {
    id: requested.id,
    kind,
    state: requested.state,
    initialDate: requested.request.initialDate,
    endDate: requested.request.endDate,
    rows_count: requested.rows_count,
    file_name: reportFileName(kind, requested.request),
    requested_at: requested.created_at.toISOString(),
    expires_at: requested.expires_at.toISOString(),
  };
}
